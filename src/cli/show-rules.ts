/** The built-in rules as text. */

import { readMeasured } from '../../tools/evaluation/measured.ts';
import { FIGURE_HEAD, figureCells, figuresOf, type Measured } from '../../tools/evaluation/rule-figures.ts';
import { loadKnowledge } from '../engine/knowledge/knowledge.ts';
import { counted } from '../lang/english.ts';
import { suggest } from '../lang/suggest.ts';
import { CliError, type Output } from '../platform/terminal/output.ts';
import { textTable } from '../platform/terminal/table.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { contributionOf, floorOf, readsOf, whenText } from '../scoring/rules/rule-words.ts';
import type { Rule } from '../scoring/rules/rules.ts';

export async function listRules(family: string | undefined, as_json: boolean, output: Output): Promise<void> {
  const selected = selectRules(await loadKnowledge(), family);
  const documents = selected.map((rule) => rule.document);
  await output.line(as_json ? JSON.stringify(documents, null, 2) : listText(selected));
}

export async function showRule(id: string, as_json: boolean, output: Output): Promise<void> {
  const knowledge = await loadKnowledge();
  const rule = findRule(knowledge, id);
  if (as_json) return output.line(JSON.stringify(rule.document, null, 2));
  await output.line(showText(rule, knowledge, await readMeasured()));
}

/** All rules, or those of one family. */
function selectRules({ rules }: Knowledge, family: string | undefined): Rule[] {
  const selected = rules.filter((rule) => family === undefined || rule.document.family === family);
  if (selected.length > 0) return selected;
  const families = [...new Set(rules.map((rule) => rule.document.family))].sort().join(', ');
  throw new CliError(`there is no family \`${family ?? ''}\`; the families are ${families}`);
}

/** Finds a rule by id, or by a code of the catalogue that only one rule has. */
function findRule({ rules }: Knowledge, id: string): Rule {
  const wanted = id.toLowerCase();
  const found = rules.filter((rule) => rule.id === wanted || rule.document.code.toLowerCase() === wanted);
  if (found.length === 0)
    throw new CliError(
      `there is no rule \`${id}\`${suggest(
        wanted,
        rules.map((rule) => rule.id),
      )}; \`weir rules list\` shows them all`,
    );
  if (found.length === 1) return found[0]!;
  throw new CliError(
    `\`${id}\` is the code of several rules; name one by its id: ${found.map((rule) => rule.id).join(', ')}`,
  );
}

function listText(rules: readonly Rule[]): string {
  const rows = rules.map((rule) => [
    rule.document.code,
    rule.id,
    rule.document.family,
    rule.document.maturity,
    contributionOf(rule),
    floorOf(rule),
    String(rule.document.cites.length),
  ]);
  const head = ['code', 'id', 'family', 'maturity', 'contribution', 'floor', 'articles'];
  return `${textTable(head, rows, { right: [4, 5, 6] })}\n\n${counted(rules.length, 'rule')}`;
}

const indent = (text: string, by = 2): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line.trimEnd()}`)
    .join('\n');

const section = (title: string, body: string): string => `${title}\n${body}`;

function showText(rule: Rule, known: Knowledge, measured: Measured | null): string {
  const { document } = rule;
  return [
    `${document.name}\n${rule.id} (${document.code}, version ${document.version}, ${document.maturity})`,
    section('Weight', indent(weightText(rule))),
    section('When', indent(whenText(rule))),
    section('Premises', indent(premisesText(rule))),
    section('Says', indent(document.violation)),
    section('Cites', indent(citesText(rule, known))),
    section('Mitigations', indent(document.mitigations.map((text, i) => `${i + 1}. ${text}`).join('\n'))),
    section('Fires for', indent(examplesText(document.examples.fires))),
    section('Stays quiet for', indent(examplesText(document.examples.quiet))),
    section('May be wrong', indent(document.false_positives)),
    ...(document.differs_by_source === undefined
      ? []
      : [section('Differs by source', indent(document.differs_by_source))]),
    section('Measured', indent(measuredText(rule, measured))),
  ].join('\n\n');
}

function weightText({ floor, document }: Rule): string {
  const lines = [
    `family ${document.family}, flag ${document.flag}, confidence ${document.confidence}`,
    `adds ${document.contribution} of 100 to the policy layer`,
  ];
  if (floor > 0) lines.push(`the score is never below ${floor}`);
  if (document.asserts !== undefined) lines.push(`asserts ${document.asserts.join(', ')}`);
  return lines.join('\n');
}

function premisesText(rule: Rule): string {
  const reads = readsOf(rule);
  const width = Math.max(0, ...reads.map(([name]) => name.length));
  return reads.map(([name, about]) => `${name.padEnd(width)}  ${about}`).join('\n');
}

/** How often it fired on labelled actions, as in docs/rules. */
function measuredText({ id }: Rule, measured: Measured | null): string {
  const figures = measured === null ? null : figuresOf(id, measured);
  if (figures === null) return 'not yet';
  const rows = figures.map(figureCells);
  return `${textTable([...FIGURE_HEAD], rows, { right: [] })}\n(rule set ${measured!.rule_set_version})`;
}

/** Each article with the reason why it is cited: in the rule's words, otherwise in the article's own. */
function citesText({ document }: Rule, { ontology }: Knowledge): string {
  return document.cites
    .map(({ id, why }) => {
      const article = ontology.articles.get(id);
      return `${id}  ${article?.title ?? ''}\n  ${why ?? article?.applies_when ?? ''}`;
    })
    .join('\n');
}

function examplesText(examples: Rule['document']['examples']['fires']): string {
  return examples.map(({ name, event }) => `${name} (${event.action})`).join('\n');
}
