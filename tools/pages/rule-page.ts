/** The pages of `docs/rules/`: an index, and one page for each family. Made from the rules' own files and nothing else. */

import { FACT_BY_NAME } from '../../src/scoring/facts/index.ts';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import { isFixed } from '../../src/scoring/policy/overrides.ts';
import { contributionOf, floorOf, readsOf, whenText } from '../../src/scoring/rules/rule-words.ts';
import type { Rule } from '../../src/scoring/rules/rules.ts';
import {
  FIGURE_HEAD,
  type Figure,
  fallText,
  figureCells,
  figuresOf,
  type Measured,
} from '../evaluation/rule-figures.ts';
import { table } from './markdown.ts';

const GENERATED = '<!-- Made by `npm run pages` from ontology/rules; do not edit. -->';

/** File name → text. */
export function rulePages(knowledge: Knowledge, measured: Measured | null): Map<string, string> {
  const families = Map.groupBy(knowledge.rules, (rule) => rule.document.family);
  const names = [...families.keys()].sort();
  const pages = new Map([['README.md', indexPage(names, families, measured)]]);
  for (const name of names) pages.set(`${name}.md`, familyPage(name, families.get(name)!, knowledge, measured));
  return pages;
}

function indexPage(
  names: readonly string[],
  families: ReadonlyMap<string, readonly Rule[]>,
  measured: Measured | null,
): string {
  const count = [...families.values()].reduce((sum, rules) => sum + rules.length, 0);
  const parts = [
    GENERATED,
    '# The built-in rules',
    `${count} rules in ${names.length} families. Each links to its condition, the articles it touches and why, what to do, when it may be wrong, and how often it fired on labelled actions. \`weir rules show ID\` prints the same.`,
    'A contribution is how much a rule alone would make of the policy layer (0 to 100); a floor is a score below which nothing falls; a range goes from the mildest case to the gravest. Customers change both, switch a rule off or except cases from it in the policy field `rule_overrides` ([decision 7](../decisions/0007-overrides-and-counterfactuals.md)).',
    measuredNote(measured),
  ];
  for (const name of names) {
    const rows = families
      .get(name)!
      .map((rule) => [
        `[\`${rule.id}\`](${name}.md#${rule.id})`,
        rule.document.name,
        contributionOf(rule),
        floorOf(rule),
        precisionCell(rule, measured),
      ]);
    parts.push(`## [${name}](${name}.md)`, table(['rule', 'looks for', 'contribution', 'floor', 'precision'], rows));
  }
  parts.push(...unevenRules(names, families, measured));
  return `${parts.join('\n\n')}\n`;
}

/** Rules to distrust on new sources: right on one source and not on another. */
function unevenRules(
  names: readonly string[],
  families: ReadonlyMap<string, readonly Rule[]>,
  measured: Measured | null,
): string[] {
  if (measured === null) return [];
  const lines = names.flatMap((name) =>
    families.get(name)!.flatMap(({ id }) => {
      const fall = fallText(figuresOf(id, measured) ?? []);
      return fall === '' ? [] : [`- [\`${id}\`](${name}.md#${id}): ${fall}`];
    }),
  );
  if (lines.length === 0) return [];
  return [
    '## Precision that differs by source',
    'Rules whose precision falls by more than 0.2 between two sources on which they fired at least five times. A source of one class has a precision of 0 or 1.',
    lines.join('\n'),
  ];
}

function measuredNote(measured: Measured | null): string {
  if (measured === null) return 'Nothing has been measured yet.';
  const records = Object.values(measured.sources);
  const sum = (label: 'harmful' | 'benign'): number => records.reduce((all, counts) => all + counts[label], 0);
  return `Figures: rule set \`${measured.rule_set_version}\` on ${sum('harmful')} harmful and ${sum('benign')} benign actions (${measured.files.join(', ')}; [quality](../quality.md) says what they are). Precision is the share of harmful records among those a rule fired on: it follows from how many of either kind the data have, and a rule can be right about a danger in an action that the data call benign. A rule that never fired there has no precision.`;
}

function precisionCell(rule: Rule, measured: Measured | null): string {
  const [all] = (measured && figuresOf(rule.id, measured)) ?? [];
  if (all === undefined) return 'not measured';
  return figureCells(all)[3]!;
}

function familyPage(name: string, rules: readonly Rule[], knowledge: Knowledge, measured: Measured | null): string {
  const parts = [GENERATED, `# Rules: ${name}`, '[All rules](README.md)'];
  for (const rule of rules) parts.push(ruleSection(rule, knowledge, measured));
  return `${parts.join('\n\n')}\n`;
}

function ruleSection(rule: Rule, knowledge: Knowledge, measured: Measured | null): string {
  const { document } = rule;
  const floor = floorOf(rule);
  const facts = [
    document.code,
    `version ${document.version}`,
    document.maturity,
    `contribution ${contributionOf(rule)}`,
    ...(floor === '–' ? [] : [`floor ${floor}`]),
    `confidence ${document.confidence}`,
    `flag \`${document.flag}\``,
  ];
  return [
    `## ${rule.id}`,
    `**${document.name}** · ${facts.join(' · ')}`,
    `> ${document.violation.trim()}`,
    `\`\`\`\n${whenText(rule)}\n\`\`\``,
    `**Reads**\n\n${reads(rule)}`,
    ...(document.asserts === undefined
      ? []
      : [`Tells other rules: ${document.asserts.map((one) => `\`${one}\``).join(', ')}.`]),
    ...(isFixed({ family: document.family, floor: rule.floor })
      ? ['It says what a policy itself forbids and cannot be overridden.']
      : []),
    `**Articles**\n\n${citations(rule, knowledge)}`,
    `**What to do**\n\n${document.mitigations.map((text, i) => `${i + 1}. ${text}`).join('\n')}`,
    `**May be wrong**: ${document.false_positives.trim()}`,
    `**Fires for** ${examples(document.examples.fires)}. **Stays quiet for** ${examples(document.examples.quiet)}.`,
    measuredSection(rule, measured),
  ].join('\n\n');
}

/** Each name that the rule reads with its meaning; facts link to the page of facts. */
const reads = (rule: Rule): string =>
  readsOf(rule)
    .map(([name, about]) => {
      const shown = FACT_BY_NAME.has(name) ? `[\`${name}\`](../facts.md#${name})` : `\`${name}\``;
      return `- ${shown}: ${about}`;
    })
    .join('\n');

function citations({ document }: Rule, { ontology }: Knowledge): string {
  return document.cites
    .map(({ id, why }) => {
      const article = ontology.articles.get(id);
      return `- \`${id}\` ${article?.title ?? ''}: ${why ?? article?.applies_when ?? ''}`;
    })
    .join('\n');
}

const examples = (given: Rule['document']['examples']['fires']): string =>
  given.map(({ name, event }) => `${name} (\`${event.action}\`)`).join('; ');

function measuredSection(rule: Rule, measured: Measured | null): string {
  const figures = measured === null ? null : figuresOf(rule.id, measured);
  if (figures === null) return '**Measured**: not yet.';
  if (figures.length === 1) return '**Measured**: fired on none of the labelled actions.';
  const own = table(
    FIGURE_HEAD,
    figures.map((figure: Figure) => figureCells(figure)),
  );
  const fall = fallText(figures);
  const why = rule.document.differs_by_source;
  const parts = [
    '**Measured**',
    own,
    ...(fall === '' ? [] : [fall]),
    ...(why === undefined ? [] : [`**Why it differs**: ${why.trim()}`]),
  ];
  return parts.join('\n\n');
}
