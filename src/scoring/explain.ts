/** The words of an assessment: why the score is what it is, most important first, and what would mitigate it. */

import { capitalised, counted } from '../lang/english.ts';
import { distinct } from '../lang/in-order.ts';
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { listOf, setOf } from '../ontology/words.ts';
import type { Combined } from './combine.ts';
import { adviceOn } from './explanation/advice.ts';
import { rankedArticles } from './explanation/articles.ts';
import { deedOf } from './explanation/deed.ts';
import { inWords } from './explanation/spoken.ts';
import type { StructureWords } from './explanation/structure.ts';
import type { Facts } from './facts/fact-table.ts';
import type { Knowledge } from './knowledge.ts';
import { levelOf } from './level.ts';
import type { Finding } from './types.ts';

/** How many findings the reasoning spells out, the one of the first sentence included; the rest are counted. */
const MAX_SPELT_OUT = 3;
/** Scores up to here need no reason. */
const UNREMARKABLE = 10;
/** From here on the kind of data or the way back is a reason of its own. */
const VERY_SENSITIVE = 3;
const HARD_TO_UNDO = 4;

export interface Words {
  reasoning: string;
  violations: string[];
  /** All that bind, those to name first (`MOST_ARTICLES`) at the front. */
  compliance_refs: string[];
  mitigations: string[];
  flags: string[];
}

const isRaising = ({ contribution, floor }: Finding): boolean => contribution > 0 || floor > 0;

/** Most important first: what sets the floor, then what adds most, then by name. */
export function byImportance(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  return [...findings].sort(
    (a, b) => b.floor - a.floor || b.contribution - a.contribution || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0),
  );
}

/** One assessment in words; `structure`: what the structural layer did, if it is worth a sentence. Violations are rule ids: stable, free of the event's own text, safe to store and compare. */
export function explain(
  combined: Combined,
  findings: readonly Finding[],
  facts: Facts,
  knowledge: Knowledge,
  structure: StructureWords | null,
): Words {
  const ordered = byImportance(findings);
  const raising = ordered.every(isRaising) ? ordered : ordered.filter(isRaising);
  return {
    reasoning: reasoningOf(combined, ordered, raising, facts, structure?.sentence),
    violations: distinct(raising.map((finding) => finding.rule)),
    compliance_refs: rankedArticles(raising, facts, knowledge),
    mitigations: adviceOn(raising, knowledge),
    flags: distinct([...ordered.map((finding) => finding.flag), ...(structure === null ? [] : [structure.flag])]),
  };
}

/** The first sentence names the thing and the gravest finding; up to two others follow, then how many there are beside them. */
function reasoningOf(
  combined: Combined,
  ordered: readonly Finding[],
  raising: readonly Finding[],
  facts: Facts,
  structure: string | undefined,
): string {
  const level = levelOf(combined.score);
  const what = `${level === 'none' ? 'No notable' : capitalised(level)} risk (${combined.score}) in ${deedOf(facts)}`;
  const lowering = ordered.filter((finding) => finding.contribution < 0);
  const relief = lowering.map(
    (finding) => `The rule \`${finding.rule}\` lowers the score by ${-finding.contribution}.`,
  );
  const all = distinct(raising.map((finding) => sentence(finding.violation)));
  const [gravest] = all;
  const last = structure === undefined ? relief : [structure, ...relief];
  if (gravest === undefined) return [`${what}${natureOf(combined.score, facts)}.`, ...last].join(' ');
  const head = `${what}: ${withoutSubject(gravest, facts.readings.ontology)}`;
  const others = all.slice(1, structure === undefined ? MAX_SPELT_OUT : MAX_SPELT_OUT - 1);
  const more = all.length - 1 - others.length;
  if (more > 0) others.push(`${counted(more, 'further finding')}.`);
  return [head, ...others, ...last].join(' ');
}

const ENDS = new Set(['.', '!', '?']);
const sentence = (text: string): string =>
  ENDS.has(text.charAt(text.length - 1)) ? capitalised(text) : `${capitalised(text)}.`;

const phrases = perOntology((ontology) => ({
  /** By sensitivity, 0 to 4. */
  sensitivity: listOf(ontology, 'sensitivity_words'),
  own_subjects: listOf(ontology, 'own_subjects'),
  assumed: setOf(ontology, 'assumed_classes'),
}));

/** «The command skips a check.» after the command itself: «it skips a check.» Quoted text at the beginning stays as it is. */
function withoutSubject(text: string, ontology: Ontology): string {
  for (const subject of phrases(ontology).own_subjects)
    if (text.startsWith(`${subject} `)) return `it${text.slice(subject.length)}`;
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Why an action without findings has more than a low score: what it touches, and that there is no way back. */
function natureOf(score: number, facts: Facts): string {
  if (score <= UNREMARKABLE) return '';
  const { ontology } = facts.readings;
  const reasons: string[] = [];
  const { assumed, sensitivity: words } = phrases(ontology);
  const classes = facts.strings('data_classes').filter((data_class) => !assumed.has(data_class));
  const data = inWords(classes, ontology);
  const sensitivity = facts.int('sensitivity');
  // What code does is not known well enough to say so of it.
  const is_code = facts.strings('languages').length > 0;
  if (data !== '') reasons.push(`touches ${data} data`);
  else if (sensitivity >= VERY_SENSITIVE && !is_code) reasons.push(`has a ${words[sensitivity]!} target`);
  if (facts.int('reversibility') >= HARD_TO_UNDO && !is_code) reasons.push('cannot be undone');
  if (reasons.length === 0) return '; no rule found anything against it';
  return `: it ${reasons.join(' and ')}; no rule found anything against it`;
}
