/**
 * What a description of a tool makes the agent do that is no use of the tool: run a command, write a file that is run later, send
 * something to an address, say what the description wants said, or pass other values than those that the user gave. Such a sentence has
 * an obligation, a deed, and the object of the deed.
 */

import { PathTraits } from '../../../effects/paths.ts';
import type { Leaf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';

const wordsOf = perOntology((ontology) => {
  const form = (name: string): RegExp => patternOf(ontology, 'steering_descriptions', name);
  return {
    obliges: form('obliges'),
    commands: form('commands'),
    writes: form('writes'),
    changes: form('changes'),
    sends: form('sends'),
    says: form('says'),
    only_then: form('only_then'),
    against: form('against_the_user'),
    parts: form('parts_of_a_call'),
    file: form('file'),
  };
});

const SENTENCE_END = /(?<=[.!?])\s{1,8}(?=[A-ZÀ-ÞΑ-ΩА-Я"'`«(])|\n{1,8}/;
const MAX_SENTENCES = 64;
const MAX_SENTENCE = 600;

export interface Steering {
  excerpt: string;
  kind: '' | 'commands' | 'starts' | 'values' | 'sends' | 'says';
}

/**
 * The first such sentence. `runsCode`: the tool itself is handed code, so that its description speaks of commands and files.
 * `leaves`: the parameters of the call, by which a description names what it changes.
 */
export function steeringIn(text: string, leaves: readonly Leaf[], runsCode: boolean, ontology: Ontology): Steering {
  const { obliges, commands, writes, changes, sends, says, only_then, against } = wordsOf(ontology);
  const sentences = text.split(SENTENCE_END, MAX_SENTENCES).map((one) => one.slice(0, MAX_SENTENCE));
  const isAgainst = against.test(text);
  for (const sentence of sentences) {
    const isObliged = obliges.test(sentence);
    if (isObliged && !runsCode && commands.test(sentence)) return { excerpt: sentence, kind: 'commands' };
    if (isObliged && !runsCode && writes.test(sentence) && namesStartFile(sentence, ontology))
      return { excerpt: sentence, kind: 'starts' };
    if (isObliged && sends.test(sentence)) return { excerpt: sentence, kind: 'sends' };
    if (isObliged && says.test(sentence) && !only_then.test(sentence)) return { excerpt: sentence, kind: 'says' };
    const changed = isAgainst ? (changes.exec(sentence)?.groups?.['object'] ?? '') : '';
    if (changed !== '' && namesPart(changed, leaves, ontology)) return { excerpt: sentence, kind: 'values' };
  }
  return { excerpt: '', kind: '' };
}

function namesStartFile(sentence: string, ontology: Ontology): boolean {
  const { file } = wordsOf(ontology);
  return [...sentence.matchAll(new RegExp(file.source, 'g'))].some(
    ([name]) => new PathTraits(name.startsWith('.') ? `~/${name}` : name, '', ontology).is_start,
  );
}

/** A parameter of the call by its name, or what descriptions call one. */
function namesPart(changed: string, leaves: readonly Leaf[], ontology: Ontology): boolean {
  const said = asWords(changed);
  return (
    wordsOf(ontology).parts.test(changed.toLowerCase()) ||
    leaves.some(({ key }) => key.length > 2 && key.length <= MAX_SENTENCE && said.includes(asWords(key)))
  );
}

/** In lower case, with one blank around each word. */
const asWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/\W{1,600}/g, ' ')
    .trim()} `;
