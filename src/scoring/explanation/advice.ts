/** What to do about the findings of one event: few measures that fit it, the most effective first, none said twice. */
import { remembering } from '../../lang/remember.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Finding } from '../types.ts';

/** How many mitigations one answer lists. */
const MAX_MITIGATIONS = 5;
/** Of the gravest finding alone, while others have something to say. */
const MOST_OF_FIRST = 3;
/** Two pieces of advice that share this part of their words say the same. */
const SAME = 0.6;

/** The mitigation of every custom rule: only its owner knows more than the rule itself says. */
const CUSTOM_RULE_MITIGATION = "Follow the customer's own rule, and ask its owner where it seems wrong.";

/** The words of a piece of advice that tell it apart from others. Most advice recurs word for word. */
const tellingWords = perOntology((ontology) => {
  const fillers = setOf(ontology, 'filler_words');
  return remembering((text): ReadonlySet<string> => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]{1,40}/gu) ?? [];
    return new Set(words.filter((word) => !fillers.has(word)));
  });
});

/** What the finding's rule advises, in the order of the rule. */
export function mitigationsOf(finding: Finding, knowledge: Knowledge): readonly string[] {
  if (finding.is_custom) return [CUSTOM_RULE_MITIGATION];
  if (finding.mitigations !== undefined) return finding.mitigations;
  return knowledge.rule_by_id.get(finding.rule)?.document.mitigations ?? [];
}

/**
 * The first three of the gravest finding, then the first of each other finding, then their seconds, until there are five.
 *
 * @param findings most important first
 */
export function adviceOn(findings: readonly Finding[], knowledge: Knowledge): string[] {
  if (findings.length === 0) return [];
  const lists = findings.map((finding) => mitigationsOf(finding, knowledge));
  const taken = new Advice(knowledge);
  for (const text of lists[0]!.slice(0, MOST_OF_FIRST)) taken.add(text);
  const longest = Math.max(...lists.map((list) => list.length));
  for (let at = 0; at < longest && !taken.is_full; at += 1)
    for (let i = 1; i < lists.length && !taken.is_full; i += 1) if (at < lists[i]!.length) taken.add(lists[i]![at]!);
  for (const text of lists[0]!.slice(MOST_OF_FIRST)) taken.add(text);
  return taken.texts;
}

class Advice {
  readonly texts: string[] = [];
  readonly #words: ReadonlySet<string>[] = [];
  readonly #wordsOf: (text: string) => ReadonlySet<string>;

  constructor({ ontology }: Knowledge) {
    this.#wordsOf = tellingWords(ontology);
  }

  get is_full(): boolean {
    return this.texts.length >= MAX_MITIGATIONS;
  }

  add(text: string): void {
    if (this.is_full || this.texts.includes(text)) return;
    const own = this.#wordsOf(text);
    if (this.#words.some((other) => share(own, other) >= SAME)) return;
    this.texts.push(text);
    this.#words.push(own);
  }
}

/** Of the words of the shorter text, the part that the other has too. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a];
  if (few.size === 0) return 0;
  let common = 0;
  for (const word of few) if (many.has(word)) common += 1;
  return common / few.size;
}
