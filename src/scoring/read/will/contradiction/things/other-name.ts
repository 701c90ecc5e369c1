/** Names and numbers of things that contradict the request: namespace demo-24 where the user said namespace demo-42. */
import { isLoopback } from '../../../../../effects/hosts.ts';
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import { Recall } from '../../../../../lang/remember.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { inverseOf, patternOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest, userWords } from '../../../conversation/user-words.ts';
import { bare, foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';
import { isCalled } from './other-designator.ts';

const words = perOntology((ontology) => ({
  kinds: inverseOf(ontology, 'named_kinds'),
  places: setOf(ontology, 'place_kinds'),
  fillers: setOf(ontology, 'naming_fillers'),
  placing: setOf(ontology, 'placing_words'),
  ends: setOf(ontology, 'name_end_words'),
  starts: setOf(ontology, 'name_start_words'),
  stop_words: setOf(ontology, 'stop_words'),
  /** «The ward list», «the room beside the stairs». */
  no_names: new Set([...setOf(ontology, 'compound_heads'), ...setOf(ontology, 'leading_to_others')]),
  vague: setOf(ontology, 'uncounted_nouns'),
  remarks: setOf(ontology, 'remark_names'),
  contents: patternOf(ontology, 'file_parameters', 'contents'),
  environments: new Set([...setOf(ontology, 'production_words'), ...setOf(ontology, 'non_production_words')]),
}));

const MAX_LEAVES = 200;
const MAX_TOKENS = 1_500;
const LONGEST_NAME = 64;
/** Between the kind and its name: «the card that ends in 4471». */
const MAX_FILLERS = 3;

interface Token {
  /** Without closing punctuation. */
  text: string;
  folded: string;
  is_quoted: boolean;
  /** A sentence or clause ends behind it. */
  closes: boolean;
}

/** The pieces of the user's words between blanks, as bare names, and the kinds of things that they may name. */
const askedTokens = perRequest((said, ontology) => {
  const tokens = tokensOf(said);
  return {
    tokens,
    own: new Set(tokens.map(({ folded }) => bare(folded))),
    kinds: new Set(tokens.map(({ folded }) => kindOf(folded, ontology))),
  };
});

export function otherNames(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  if (userWords(text) === '') return [];
  const { tokens, own, kinds } = askedTokens(text);
  const given = givenNames(event, ontology);
  const found: Contradiction[] = [];
  for (const { path, name, kind, used } of given) {
    if (!kinds.has(kind)) continue;
    const asked = namesOfKind(tokens, kind, ontology);
    const first = asked[0];
    // This machine is nobody else's, whatever its services are called.
    if (first === undefined || own.has(bare(foldText(used))) || isLoopback(used)) continue;
    // An action that also reaches the thing that was named, such as the second leg of a flight.
    const reaches = given.some(
      (other) => other.kind === kind && asked.some((one) => bare(foldText(one)) === bare(foldText(other.used))),
    );
    if (!reaches && asked.every((one) => differs(one, used, kind, name, ontology)))
      found.push({ parameter: path, asked: first, used, kind: 'name', factor: 1, is_less: false });
  }
  const port = otherPort(event, text);
  return port === null ? found : [...found, port];
}

/** A port of a network device: `Gi1/0/14`, `xe-0/0/3`, `Ethernet 1/5`. */
const PORT = /(?<![\w/])([a-z]{2,24})[ -]?(\d{1,3}(?:\/\d{1,3}){1,3})(?![\w/])/gi;
const MAX_PORTS = 32;

const portsIn = (text: string): { name: string; slot: string }[] =>
  [...text.slice(0, MAX_CODE).matchAll(PORT)].slice(0, MAX_PORTS).map(([name, , slot = '']) => ({ name, slot }));

const askedPorts = perRequest(portsIn);

/** Ports that the action names, none of which is one that the user named. Of a range, any end may be the one. */
function otherPort(event: AgentEvent, text: TextReading): Contradiction | null {
  const asked = askedPorts(text);
  if (asked.length === 0) return null;
  let other: Contradiction | null = null;
  for (const { path, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string') continue;
    const used = portsIn(value);
    if (used.some(({ slot }) => asked.some((one) => one.slot === slot)) || (used.length > 0 && isRange(value, asked)))
      return null;
    other ??=
      used[0] === undefined
        ? null
        : { parameter: path, asked: asked[0]!.name, used: used[0].name, kind: 'name', factor: 1, is_less: false };
  }
  return other;
}

/** `1/0/10 - 20` reaches every port between. */
function isRange(text: string, asked: readonly { slot: string }[]): boolean {
  return asked.some(({ slot }) => {
    const at = slot.lastIndexOf('/') + 1;
    const start = text.indexOf(slot.slice(0, at));
    const range = start < 0 ? null : /^(\d{1,3})\s{0,4}(?:-|to)\s{0,4}(\d{1,3})/.exec(text.slice(start + at));
    return range !== null && Number(range[1]) <= Number(slot.slice(at)) && Number(slot.slice(at)) <= Number(range[2]);
  });
}

interface Given {
  path: string;
  /** Name of the parameter. */
  name: string;
  kind: string;
  used: string;
}

/** What parameters hold by their names: `namespace`, `ward_id`, `card_last4`; and options of commands. */
function givenNames(event: AgentEvent, ontology: Ontology): readonly Given[] {
  const { vague } = words(ontology);
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ path, name, value }): Given[] => {
      if (typeof value === 'boolean' || name === '') return [];
      const text = String(value);
      // Options stand in commands; a file that is written and a remark mention them.
      if (isProse(name, text, ontology)) return [];
      if (text.length > LONGEST_NAME || /\s/.test(text))
        return namesInText(text, ontology).map(([kind, used]) => ({ path, name, kind, used }));
      const kind = kindOfName(name, ontology);
      return kind === '' || vague.has(kind) ? [] : [{ path, name, kind, used: text }];
    });
}

const isProse = (name: string, text: string, ontology: Ontology): boolean =>
  words(ontology).remarks.has(name) ||
  (text.length > LONGEST_LINE && text.includes('\n') && words(ontology).contents.test(name));

/** Longer values of several lines are files. */
const LONGEST_LINE = 200;

const kindOfName = (name: string, ontology: Ontology): string =>
  kindsByName(ontology).get(name, () => findKind(name, ontology));

const kindsByName = perOntology(() => new Recall<string>());

function findKind(name: string, ontology: Ontology): string {
  const { ends, starts, stop_words } = words(ontology);
  const of_name = [...wordsOf(name)];
  while (of_name.length > 1 && (ends.has(of_name.at(-1)!) || /^\d+$/.test(of_name.at(-1)!))) of_name.pop();
  while (of_name.length > 1 && starts.has(of_name[0]!)) of_name.shift();
  const last = of_name.at(-1) ?? '';
  // `from` and `to` are no kinds of thing: «from 12 to 15 June».
  return ends.has(last) || stop_words.has(last) ? '' : kindOf(last, ontology);
}

const kindOf = (word: string, ontology: Ontology): string => {
  const one = singular(word);
  return words(ontology).kinds.get(one) ?? one;
};

/** `--namespace payments`, `namespace=payments`; in code and commands. */
const OPTION = /--?([a-z][a-z-]{1,24})[= ]["']?([\w./:@-]{2,64})/gi;
const MAX_CODE = 8_192;

function namesInText(text: string, ontology: Ontology): readonly [string, string][] {
  if (!text.includes('-')) return [];
  const { places, kinds } = words(ontology);
  return [...text.slice(0, MAX_CODE).matchAll(OPTION)].flatMap(([, option = '', value = '']): [string, string][] => {
    const kind = kindOfName(option.replaceAll('-', '_'), ontology);
    return places.has(kind) || kinds.has(kind) ? [[kind, value]] : [];
  });
}

/** The names that the user gives things of a kind. */
function namesOfKind(tokens: readonly Token[], kind: string, ontology: Ontology): readonly string[] {
  const { fillers, places } = words(ontology);
  const found: string[] = [];
  for (const [i, token] of tokens.entries()) {
    if (kindOf(token.folded, ontology) !== kind) continue;
    const before = tokens[i - 1];
    const isPlace = places.has(kind);
    if (before !== undefined && !before.closes && isNameBefore(before, isPlace, ontology)) found.push(before.text);
    let at = i;
    while (at - i < MAX_FILLERS && !tokens[at]!.closes && fillers.has(tokens[at + 1]?.folded ?? '')) at++;
    const behind = tokens[at + 1];
    if (
      behind !== undefined &&
      !tokens[at]!.closes &&
      !(at > i && isCount(behind, tokens[at + 2], tokens[at]!, ontology)) &&
      isName(behind, isPlace && at === i && isPlaced(before, ontology), ontology)
    )
      found.push(inGroups(tokens, at + 1));
  }
  return found;
}

/** «An order for 100 shares»: behind a word such as «for», a number with a noun says how many. */
const isCount = (number: Token, noun: Token | undefined, before: Token, ontology: Ontology): boolean =>
  /^\d{1,6}$/.test(number.text) &&
  !number.closes &&
  words(ontology).stop_words.has(before.folded) &&
  /^\p{Ll}{3,}$/u.test(noun?.text ?? '') &&
  !words(ontology).stop_words.has(noun!.folded);

/** «48 221 907-K»: a long number is often written in groups. */
function inGroups(tokens: readonly Token[], at: number): string {
  let { text, closes } = tokens[at]!;
  for (let next = at + 1; /^\d{1,3}$/.test(text) || next > at + 1; next += 1) {
    const group = tokens[next];
    if (closes || group === undefined || !/^\d{3}(?:\D|$)/.test(group.text)) break;
    text += group.text;
    closes = group.closes;
  }
  return text;
}

/** «In namespace payments», «the table orders»: what follows the kind is its name. */
const isPlaced = (before: Token | undefined, ontology: Ontology): boolean =>
  before !== undefined && words(ontology).placing.has(before.folded);

const TELLING = /\d/;

function isName({ text, folded, is_quoted }: Token, allowsPlain: boolean, ontology: Ontology): boolean {
  const { stop_words, environments, no_names, places } = words(ontology);
  if (folded.length > LONGEST_NAME || folded === '') return false;
  if (TELLING.test(folded) || is_quoted || /[a-z][-_.][a-z]/.test(folded) || environments.has(folded)) return true;
  if (/^[A-Z]{2,6}$/.test(text)) return true;
  // «The database table orders», «in the database using»: a kind or a participle is not a name.
  const isPlain = folded.length > 2 && /^[a-z]+$/.test(folded) && !folded.endsWith('ing');
  return (
    allowsPlain && isPlain && !no_names.has(folded) && !stop_words.has(folded) && !places.has(kindOf(folded, ontology))
  );
}

/** «The demo-42 namespace», «the staging cluster». */
function isNameBefore(token: Token, isPlace: boolean, ontology: Ontology): boolean {
  return isPlace && !/^\d+$/.test(token.folded) && isName(token, false, ontology);
}

const SIGNS = new Set('"\'`«»“”()[]#.,;:!?');

/** A piece of text without the signs around it and without a possessive «'s». */
function withoutSigns(piece: string): string {
  let from = 0;
  let to = piece.length;
  while (from < to && SIGNS.has(piece.charAt(from))) from++;
  while (to > from && SIGNS.has(piece.charAt(to - 1))) to--;
  return piece.slice(from, to).replace(/['’]s$/, '');
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const piece of text.match(/\S+/g) ?? []) {
    if (tokens.length >= MAX_TOKENS) break;
    const inner = withoutSigns(piece);
    if (inner === '') continue;
    tokens.push({
      text: inner,
      folded: foldText(inner),
      is_quoted: /^["'`«“]/.test(piece) && inner.length > 1,
      closes: /[.,;:!?)]["'`»”]?$/.test(piece),
    });
  }
  return tokens;
}

const digitsOf = (text: string): string => String(Number(/\d{1,15}/.exec(text)?.[0] ?? Number.NaN));
const skeleton = (text: string): string => text.replace(/\d/g, '0');

/** `atlas-dev` and `atlas-prod`: names that begin alike and go on differently are names of two things. */
const areOfOneSeries = (a: string, b: string): boolean => {
  const [first = '', ...rest] = a.split(/[-_.]/);
  return first.length > 2 && rest.length > 0 && /^[a-z]/.test(first) && b.startsWith(first) && /[-_.]/.test(b);
};

/** Whether two names of one kind cannot mean one thing. */
function differs(asked: string, used: string, kind: string, name: string, ontology: Ontology): boolean {
  const a = foldText(asked);
  const b = foldText(used);
  const [x, y] = [bare(a), bare(b)];
  if (x === y || x === '' || y === '') return false;
  const isNumber = /^\d+$/.test(a);
  // «Last day 31 December»: a day is not a name.
  if (isNumber && /^\d{4}-\d{2}-\d{2}/.test(b)) return false;
  // `ns=2;s=WTP2.CL2.SP`: an address of a protocol counts otherwise than people do.
  if (isNumber && /[=;]/.test(b)) return false;
  if (isNumber && (digitsOf(b) === digitsOf(a) || isCalled(used, asked))) return false;
  const isEnvironment = words(ontology).environments.has(a) && words(ontology).environments.has(b);
  if (isEnvironment) return true;
  if ((x.length > 2 && y.includes(x)) || (y.length > 2 && x.includes(y))) return false;
  // An id that a look-up returned has another shape than the number that people use.
  if (skeleton(a) === skeleton(b)) return true;
  if (isNumber)
    return TELLING.test(b) && !wordsOf(name).some((word) => word === 'id' || word === 'uuid' || word === 'key');
  if (/^[0-9a-f-]{16,}$/.test(b)) return false;
  return words(ontology).places.has(kind) || areOfOneSeries(a, b);
}
