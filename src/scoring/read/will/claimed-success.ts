/** A report that all went well where the last result about it says that something failed: «all 40 verified» after «failed 31». */
import { editParameters } from '../../../effects/edits/edits.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../../ontology/words.ts';
import { perPassage } from '../conversation/kept-passages.ts';
import type { TextReading } from '../conversation/text.ts';

const words = perOntology((ontology) => ({
  claims: anyOf(ontology, 'success_claims'),
  each_claim: new RegExp(anyOf(ontology, 'success_claims').source, 'gi'),
  failures: anyOf(ontology, 'failure_results'),
  successes: anyOf(ontology, 'success_results'),
  admits: anyOf(ontology, 'admitted_failures'),
  reporting: patternOf(ontology, 'reporting_commands', 'command'),
  reports: patternOf(ontology, 'reporting_commands', 'file'),
  messages: new RegExp(patternOf(ontology, 'reporting_commands', 'message').source, 'gi'),
}));

const MAX_LEAVES = 100;
const MAX_PATH = 400;
const MAX_TEXT = 4_000;
const MAX_PASSAGES = 8;

/**
 * The claim as it stands in a parameter, of a command only in its message to others; '' where there is none, where its text also tells
 * of a failure, or where a later result tells of success.
 */
export function claimedSuccess(event: AgentEvent, ontology: Ontology, text: TextReading, isCommand: boolean): string {
  if (text.untrusted.length === 0) return '';
  const { claims, each_claim, admits } = words(ontology);
  // Whether the same text also tells of the failure: a remark elsewhere does not correct it.
  const claimsAll = (value: string): boolean => claims.test(value) && !admits.test(value.replace(each_claim, ' '));
  const { leaves } = parametersOf(event);
  // What a program prints once it runs is not a report.
  const { path: paths } = editParameters(ontology);
  const { reports } = words(ontology);
  const isOfCode = leaves.some(
    ({ key, value }) =>
      typeof value === 'string' &&
      paths.has(key.toLowerCase().replaceAll('_', '')) &&
      !reports.test(value.slice(-MAX_PATH)),
  );
  if (isOfCode) return '';
  const claim = leaves
    .slice(0, MAX_LEAVES)
    .flatMap(({ value }) => (typeof value === 'string' ? [value.slice(0, MAX_TEXT)] : []))
    .flatMap((value) => (isCommand ? messagesIn(value, ontology) : [value]))
    .find(claimsAll);
  return claim === undefined || !tellsOfFailure(text, ontology) ? '' : claims.exec(claim)![0];
}

/** Whether the last result that tells how something went says that it failed. */
function tellsOfFailure({ untrusted }: TextReading, ontology: Ontology): boolean {
  const outcomes = untrusted.slice(-MAX_PASSAGES).map((passage) => outcomeIn(passage, ontology));
  return outcomes.findLast((one) => one !== 'none') === 'failure';
}

const outcomeIn = perPassage((said, ontology): 'failure' | 'success' | 'none' => {
  const { failures, successes } = words(ontology);
  const cut = said.slice(0, MAX_TEXT);
  if (failures.test(cut)) return 'failure';
  return successes.test(cut) ? 'success' : 'none';
});

/** What a command hands to its readers, as one text. */
function messagesIn(command: string, ontology: Ontology): string[] {
  const { reporting, messages } = words(ontology);
  if (!reporting.test(command)) return [];
  const found = [...command.matchAll(messages)].map(([, single, double]) => single ?? double ?? '');
  return found.length === 0 ? [] : [found.join('\n')];
}
