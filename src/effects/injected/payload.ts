/** Code of another language in a value that the tool takes as data: what the receiver of the value would run. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, patternsOf, setOf } from '../../ontology/words.ts';
import { isMetadataService } from '../hosts.ts';
import { startsWithProgram } from '../parameters/shapes.ts';
import { formsOf } from './forms.ts';
import type { Strength } from './sql-evidence.ts';
import { sqlInjection } from './sql-injection.ts';

export interface Payload {
  /** sql, shell, template, script, path, directory, xpath, documents, header, entity, address */
  language: string;
  /** 2 likely, 3 certain. */
  strength: Strength;
}

/** What the name of the parameter says of the text. */
export interface Slot {
  is_text: boolean;
  is_one_line: boolean;
  is_markup: boolean;
}

/** Of longer values the beginning and the end are read: padding hides nothing at either. */
const MAX_TEXT = 4_096;

const kinds = perOntology((ontology) => ({
  /** A value without one of these is not code. */
  signs: patternOf(ontology, 'injected_signs', 'any'),
  /** What code of a language cannot do without; looked for first, because most texts have none of it. */
  needed: patternsOf(ontology, 'payload_needed'),
  certain: [...(ontology.patterns.get('payload_certain') ?? [])],
  addresses: [...(ontology.patterns.get('payload_certain') ?? [])]
    .filter(([name]) => name.startsWith('address'))
    .map(([, pattern]) => pattern),
  likely: [...(ontology.patterns.get('payload_likely') ?? [])],
  looking: setOf(ontology, 'looking_programs'),
}));

/** The strongest reading of this value as code; null when it is data. */
export function payloadIn(value: string, slot: Slot, ontology: Ontology): Payload | null {
  if (value.length < 3) return null;
  const parts = value.length > MAX_TEXT ? [value.slice(0, MAX_TEXT), value.slice(-MAX_TEXT)] : [value];
  let best: Payload | null = null;
  for (const part of parts) {
    if (!kinds(ontology).signs.test(part)) {
      if (part.includes(':/') && isInnerAddress(part, ontology)) best ??= addressIn(slot);
      continue;
    }
    for (const text of formsOf(part)) {
      const found = inForm(text, slot, ontology);
      if (found !== null && (best === null || found.strength > best.strength)) best = found;
    }
  }
  return best;
}

function inForm(text: string, slot: Slot, ontology: Ontology): Payload | null {
  const known = kinds(ontology);
  if (!slot.is_markup) {
    for (const [language, pattern] of known.certain) {
      if (known.needed.get(language)?.test(text) === false) continue;
      const at = pattern.exec(text);
      if (at !== null) return { language: language.split('_')[0]!, strength: partOf(text, at[1] ?? at[0], slot) };
    }
  }
  if (text.includes('://') && namesMetadataService(text, ontology)) return addressIn(slot);
  if (slot.is_one_line && hasHeader(text)) return { language: 'header', strength: 3 };
  const sql = sqlInjection(text, ontology);
  if (sql === 3) return { language: 'sql', strength: 3 };
  const shell = slot.is_text ? 0 : shellIn(text, known.looking, ontology);
  if (shell > sql) return { language: 'shell', strength: shell };
  if (sql >= 2) return { language: 'sql', strength: sql };
  if (slot.is_markup) return null;
  for (const [language, pattern] of known.likely)
    if (pattern.test(text)) return { language, strength: slot.is_text ? 1 : 2 };
  return null;
}

const addressIn = (slot: Slot): Payload => ({ language: 'address', strength: slot.is_text ? 2 : 3 });

/** In text for people, code that is only a part of it may be mentioned. */
function partOf(text: string, found: string, slot: Slot): Strength {
  return slot.is_text && found.length * 4 < text.length && text.length > 80 ? 2 : 3;
}

/** A second line that reads like a header: `Subject` with `\r\nBcc: …`. */
function hasHeader(text: string): boolean {
  return /[\r\n]\s{0,4}(?:[A-Za-z][\w-]{1,40}:\s{0,4}\S|HTTP\/\d)/.test(text);
}

/** A URL, in the value or inside another URL, whose host hands out the credentials of a machine. */
function namesMetadataService(text: string, ontology: Ontology): boolean {
  for (const match of text.matchAll(/:\/\/(?:[^\s/@]{1,60}@)?(\[[\da-f:.]{2,40}\]|[\w.-]{1,80})/gi))
    if (isMetadataService(match[1]!.toLowerCase(), ontology)) return true;
  return false;
}

/** A URL that leads inside: to a file, the machine itself or a metadata service. */
function isInnerAddress(text: string, ontology: Ontology): boolean {
  const { addresses } = kinds(ontology);
  return addresses.some((pattern) => pattern.test(text)) || namesMetadataService(text, ontology);
}

/** A command behind a sign that ends or nests a command line. */
function shellIn(text: string, looking: ReadonlySet<string>, ontology: Ontology): Strength {
  if (text.length > 1_024) return 0;
  for (const match of text.matchAll(/(\$\(|`|[;|\n]|&&|\|\|)\s{0,8}([^;|&`\n)]{1,200})/g)) {
    const command = match[2]!.trim();
    const name = /^[\w./-]{1,64}/.exec(command)?.[0] ?? '';
    if (!startsWithProgram(command, ontology)) continue;
    const isNested = match[1] === '$(' || match[1] === '`';
    if (name === command) {
      const isLast = match.index + match[0].length >= text.trimEnd().length;
      if (looking.has(name) && (isNested || isLast)) return 3;
    } else if (/\s(?:-{1,2}[a-zA-Z]|[~.]{0,2}\/\w|\/[cCqQ]\b|https?:|\d{1,3}\.\d{1,3}\.|>|\$)/.test(command)) return 3;
  }
  return 0;
}
