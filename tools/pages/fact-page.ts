/** The page `docs/facts.md`: every fact with its type, meaning and readers. Made from the fact tables and the rules. */
import { FACTS, FACTS_BY_SUBJECT, type Fact, type Relief } from '../../src/scoring/facts/index.ts';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import type { Rule } from '../../src/scoring/rules/rules.ts';
import { factReaders, type Readers, readsOfRule } from './fact-readers.ts';
import { table } from './markdown.ts';

const GENERATED = '<!-- Made by `npm run pages` from src/scoring/facts and ontology/rules; do not edit. -->';
/** More rules than this are folded away behind their number. */
const MOST_RULES_SHOWN = 4;

/** The whole page. Throws if a fact is neither public nor read by anything: such a fact serves nobody. */
export function factPage(knowledge: Knowledge): string {
  const readersOf = factReaders(knowledge);
  const useless = FACTS.filter(({ name, is_public }) => !is_public && isUnread(readersOf(name)));
  if (useless.length > 0) {
    const names = useless.map(({ name }) => `\`${name}\``).join(', ');
    throw new Error(`nothing reads ${names}: delete the row, or mark it as public if customers need it`);
  }
  const sections = [...FACTS_BY_SUBJECT].flatMap(([subject, facts]) => [
    `## ${subject}`,
    table(
      ['fact', 'type', 'meaning', 'public', 'exceptions', 'since', 'read by'],
      facts.map((fact) => [
        `<a id="${fact.name}"></a>\`${fact.name}\``,
        `\`${fact.type}\``,
        `${fact.about}${fieldsOf(fact)}`,
        publicCell(fact),
        RELIEF[fact.relief],
        fact.since,
        readersCell(readersOf(fact.name)),
      ]),
    ),
  ]);
  return `${[...head(), ...sections, ...asserted(knowledge)].join('\n\n')}\n`;
}

/** What the column `exceptions` says. */
const RELIEF: Readonly<Record<Relief, string>> = {
  fixed: 'yes',
  grows: 'while low',
  reducers: 'reducers only',
  no: 'no',
};

const isUnread = ({ rules, reducers, frameworks, files }: Readers): boolean =>
  rules.length + reducers.length + frameworks.length + files.length === 0;

function head(): string[] {
  const count = FACTS.filter(({ is_public }) => is_public).length;
  return [
    GENERATED,
    '# Facts',
    'A fact is a named value that Weir derives from an event, its policy and its history. The [built-in rules](rules/README.md) are [conditions](conditions.md) over facts, and so are the `custom_rules` and the `exceptions` of a [policy](policies.md).',
    [
      `- **Public**: ${count} of ${FACTS.length} facts. A public fact keeps its name, type and meaning, so conditions of a policy may read it. A condition that reads any other fact is refused when the policy is written, with the fact or expression to read instead. Policies that were stored earlier stay in force.`,
      '- **Only to raise**: the fact depends on free text, which the judged agent can write. A rule with a negative `score_impact` and an exception may not read it.',
      '- **Exceptions**: whether a condition that lowers a score may read the fact. «Yes»: nothing that is added to an event changes it. «While low»: an addition only raises it, so a condition may ask whether all elements are allowed, a number is at most so large, or a truth value is false. «Reducers only»: built-in reducers read it. «No»: the judged agent can bring it about. See [exceptions that hold](policies.md#exceptions-that-hold).',
      '- **Since**: the version of Weir that introduced the fact.',
      '- **Read by**: built-in rules, reducers, the scope of frameworks, and source files of the scoring. A public fact that says «conditions of policies only» is there for customers alone.',
    ].join('\n'),
    'A text that is empty, a number that is 0 and a list without elements mean that nothing was found; a fact is never missing, except those of [structure](#structure). The names `action`, `domain`, `scope`, `verb`, `tool_name` and `batch_size` are also [fields of the event](conditions.md#names): a condition of a policy reads the field.',
  ];
}

const fieldsOf = ({ fields }: Fact): string =>
  fields === undefined
    ? ''
    : ` Fields: ${Object.entries(fields)
        .map(([name, type]) => `\`${name}\` (${type})`)
        .join(', ')}.`;

function publicCell({ is_public, is_from_text, nearest }: Fact): string {
  if (!is_public) return `no; read \`${nearest}\``;
  return is_from_text ? 'only to raise' : 'yes';
}

const linkTo = ({ id, document }: Rule): string => `[\`${id}\`](rules/${document.family}.md#${id})`;

function ruleLinks(rules: readonly Rule[]): string {
  const links = rules.map(linkTo).join(', ');
  return rules.length <= MOST_RULES_SHOWN
    ? links
    : `<details><summary>${rules.length} rules</summary>${links}</details>`;
}

function readersCell(readers: Readers): string {
  if (isUnread(readers)) return 'conditions of policies only';
  const others = [
    ...readers.reducers.map((id) => `reducer \`${id}\``),
    ...readers.frameworks.map((name) => `scope of \`${name}\``),
    ...readers.files.map((path) => `\`src/${path}\``),
  ];
  return [...(readers.rules.length > 0 ? [ruleLinks(readers.rules)] : []), ...others].join(', ');
}

/** Facts that rules tell each other; no table has them. */
function asserted({ rules }: Knowledge): string[] {
  const names = [...new Set(rules.flatMap(({ document }) => document.asserts ?? []))].sort();
  if (names.length === 0) return [];
  const rows = names.map((name) => [
    `\`${name}\``,
    rules
      .filter(({ document }) => document.asserts?.includes(name))
      .map(linkTo)
      .join(', '),
    rules
      .filter((rule) => readsOfRule(rule).has(name))
      .map(linkTo)
      .join(', ') || 'none',
  ]);
  return [
    '## Asserted by rules',
    'When one of these rules fires, it asserts a fact of type `bool` that other built-in rules read. Conditions of policies cannot read them.',
    table(['fact', 'asserted by', 'read by'], rows),
  ];
}
