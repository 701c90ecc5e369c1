/** The words of an assessment: why the score is what it is, most important first, and what would mitigate it. */

import { distinct } from '../lang/in-order.ts';
import { remembering } from '../lang/remember.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { listOf, setOf } from '../ontology/words.ts';
import type { Combined } from './combine.ts';
import type { Facts } from './facts/fact-table.ts';
import type { Knowledge } from './knowledge.ts';
import { levelOf } from './level.ts';
import { binds } from './policy/bindings.ts';
import { show } from './show.ts';
import type { Finding } from './types.ts';

/** How many findings the reasoning spells out; the rest are counted. */
const MAX_SENTENCES = 4;
/** How many mitigations one answer lists. */
const MAX_MITIGATIONS = 8;

/** The mitigation of every custom rule: only its owner knows more than the rule itself says. */
const CUSTOM_RULE_MITIGATION = "Follow the customer's own rule, and ask its owner where it seems wrong.";

export interface Words {
  reasoning: string;
  violations: string[];
  compliance_refs: string[];
  mitigations: string[];
  flags: string[];
}

const NONE: readonly Finding[] = [];
const isRaising = ({ contribution, floor }: Finding): boolean => contribution > 0 || floor > 0;

/** `GDPR:Art.5` → `GDPR`. */
const frameworkOf = remembering((citation) => citation.slice(0, citation.indexOf(':')));

/** Most important first: what sets the floor, then what adds most, then by name. */
export function byImportance(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  return [...findings].sort(
    (a, b) => b.floor - a.floor || b.contribution - a.contribution || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0),
  );
}

/** One assessment in words. Violations are rule ids: stable, free of the event's own text, safe to store and compare. */
export function explain(combined: Combined, findings: readonly Finding[], facts: Facts, knowledge: Knowledge): Words {
  const ordered = byImportance(findings);
  const raising = ordered.every(isRaising) ? ordered : ordered.filter(isRaising);
  const cited = allOf(raising.map((finding) => finding.citations));
  const mitigations = allOf(raising.map((finding) => mitigationsOf(finding, knowledge)));
  return {
    reasoning: reasoningOf(combined, ordered, raising, facts),
    violations: distinct(raising.map((finding) => finding.rule)),
    compliance_refs: bindingOf(distinct(cited), facts, knowledge),
    mitigations: distinct(mitigations).slice(0, MAX_MITIGATIONS),
    flags: distinct(ordered.map((finding) => finding.flag)),
  };
}

/** The lists as one, of the right size at once. */
const allOf = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.length === 1 ? lists[0]! : ([] as readonly string[]).concat(...lists);

/** Those of the articles whose framework binds. */
function bindingOf(cited: readonly string[], facts: Facts, knowledge: Knowledge): string[] {
  const frameworks: string[] = [];
  const answers: boolean[] = [];
  return cited.filter((id) => {
    const framework = frameworkOf(id);
    let at = frameworks.indexOf(framework);
    if (at < 0) {
      at = frameworks.push(framework) - 1;
      answers.push(binds(framework, facts, knowledge));
    }
    return answers[at];
  });
}

/** What the finding's rule advises. */
export function mitigationsOf(finding: Finding, knowledge: Knowledge): readonly string[] {
  if (finding.is_custom) return [CUSTOM_RULE_MITIGATION];
  return knowledge.rule_by_id.get(finding.rule)?.document.mitigations ?? [];
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function subjectOf(facts: Facts): string {
  const ontology = facts.readings.ontology;
  const target = facts.readings.event.target;
  const type = target?.resource_type === undefined ? '' : ` on ${show(target.resource_type, ontology)}`;
  const id = target?.resource_id === undefined ? '' : ` \`${show(target.resource_id, ontology)}\``;
  return `\`${facts.string('action')}\`${type}${id}`;
}

function reasoningOf(
  combined: Combined,
  ordered: readonly Finding[],
  raising: readonly Finding[],
  facts: Facts,
): string {
  const level = levelOf(combined.score);
  const head = `${level === 'none' ? 'No notable' : capitalise(level)} risk (${combined.score}) for ${subjectOf(facts)}.`;
  const nature = `By itself the action is ${natureOf(facts)}.`;
  const lowering = ordered.length === 0 ? NONE : ordered.filter((finding) => finding.contribution < 0);
  if (raising.length === 0 && lowering.length === 0) return `${head} ${nature} No rule fired.`;
  const all = distinct(raising.map((finding) => sentence(finding.violation)));
  const sentences = all.slice(0, MAX_SENTENCES);
  const more = all.length - sentences.length;
  if (more > 0) sentences.push(`${more} further finding${more === 1 ? '' : 's'}.`);
  const relief = lowering.map(
    (finding) => `The rule \`${finding.rule}\` lowers the score by ${-finding.contribution}.`,
  );
  return [head, ...sentences, nature, ...relief].join(' ');
}

const ENDS = new Set(['.', '!', '?']);
const sentence = (text: string): string =>
  ENDS.has(text.charAt(text.length - 1)) ? capitalise(text) : `${capitalise(text)}.`;

const phrases = perOntology((ontology) => ({
  /** By reversibility and by sensitivity, 0 to 4 each. */
  reversibility: listOf(ontology, 'reversibility_phrases'),
  sensitivity: listOf(ontology, 'sensitivity_words'),
  unremarkable: setOf(ontology, 'unremarkable_classes'),
}));

const inWords = remembering((group) => group.replaceAll('_', ' '));

function natureOf(facts: Facts): string {
  const { reversibility, sensitivity: sensitivities, unremarkable } = phrases(facts.readings.ontology);
  const group = inWords(facts.string('effect'));
  const sensitivity = sensitivities[facts.int('sensitivity')]!;
  const classes = facts.strings('data_classes').filter((data_class) => !unremarkable.has(data_class));
  const data = classes.length === 0 ? '' : ` touching ${classes.join(', ')} data`;
  return `of kind ${group} on a ${sensitivity} target${data}, and ${reversibility[facts.int('reversibility')]!}`;
}
