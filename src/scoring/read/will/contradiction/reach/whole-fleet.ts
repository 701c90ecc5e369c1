/**
 * Whether a command reaches every machine or part of a fleet although the user named one: `ansible-playbook` without `--limit`,
 * `pm2 restart all`, for «web-03».
 */
import type { CommandCall } from '../../../../../effects/world.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../../../ontology/words.ts';
import type { ContentReading } from '../../../action/content/content.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';

const words = perOntology((ontology) => ({
  limits: tableOf(ontology, 'fleet_limits'),
  all: setOf(ontology, 'fleet_words'),
  acting: tableOf(ontology, 'fleet_verbs'),
  quantifiers: setOf(ontology, 'quantifier_words'),
}));

const LONGEST_TEXT = 8_192;
/** One member of a fleet: `web-03`, `db1`, `node-eu-17`. */
const MEMBER = /(?<![\w./-])[a-z]{2,24}(?:-[a-z]{1,12}){0,3}-?\d{1,4}[a-z]?(?![\w/-]|\.\d)/g;

/** The command that reaches all, as it begins; '' when none does, or when the user named no member that it leaves unnamed. */
export function wholeFleet(ontology: Ontology, content: ContentReading, text: TextReading): string {
  // What only looks changes nobody.
  if (!text.has_request || onlyLooks(content)) return '';
  const wide = content.calls.find((call) => reachesAll(call, ontology));
  if (wide === undefined) return '';
  const said = foldedUserWords(text).slice(0, LONGEST_TEXT);
  if (said.split(/[^\p{L}]+/u).some((word) => words(ontology).quantifiers.has(word))) return '';
  const members = [...said.matchAll(MEMBER)].map(([member]) => member);
  const isNamed = content.calls.some((call) =>
    call.words.some(({ text: word }) => members.some((m) => foldText(word).includes(m))),
  );
  return members.length === 0 || isNamed ? '' : `${wide.program} ${wide.words[0]?.text ?? ''}`.trim();
}

const onlyLooks = ({ effects }: ContentReading): boolean =>
  effects.length > 0 && effects.every(({ kind }) => kind === 'reads');

function reachesAll({ program, words: given }: CommandCall, ontology: Ontology): boolean {
  const { limits, all, acting } = words(ontology);
  const name = program.slice(program.lastIndexOf('/') + 1);
  const limiting = limits.get(name);
  const texts = given.map(({ text }) => text);
  if (limiting !== undefined)
    return !texts.some((word) =>
      limiting.some(
        (option) =>
          word === option ||
          word.startsWith(`${option}=`) ||
          (option.length === 2 && word.startsWith(option) && !word.startsWith('--')),
      ),
    );
  const verbs = acting.get(name);
  return verbs !== undefined && texts.some((word) => verbs.includes(word)) && texts.some((word) => all.has(word));
}
