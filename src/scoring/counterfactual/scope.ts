/** Changes that make an action smaller: fewer objects, a bounded statement, fewer fields, or a step that can be undone. */

import { parametersOf } from '../../events/parameters.ts';
import { withoutEnd } from '../../lang/ends.ts';
import type { Json } from '../../lang/json.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../ontology/words.ts';
import type { Facts } from '../facts/fact-table.ts';
import { isCount } from '../read/action/volume.ts';
import { show } from '../show.ts';
import { type Change, DROP, withEvent, withParameter } from './change.ts';

const MAX_CHANGES = 4;
/** As many objects as a person can check. */
const FEW = 10;

/** Lists cut to their first element, counts to ten. */
export function fewerObjects(facts: Facts): Change[] {
  const { ontology, event } = facts.readings;
  const changes: (Change & { size: number })[] = [];
  for (const { path, name, value } of parametersOf(event).entries) {
    const less = lessOf(name, value, ontology);
    if (less === null) continue;
    changes.push({
      text: `\`${show(path, ontology)}\` were ${less.words}`,
      decided_by: 'agent',
      concerns: path,
      apply: (evidence) => withParameter(evidence, path, less.value),
      size: less.size,
    });
  }
  return changes.sort((a, b) => b.size - a.size).slice(0, MAX_CHANGES);
}

function lessOf(name: string, value: Json, ontology: Ontology): { value: Json; words: string; size: number } | null {
  if (Array.isArray(value) && value.length > 1) {
    return { value: value.slice(0, 1), words: `one element and not ${value.length}`, size: value.length };
  }
  if (typeof value === 'number' && isCount(name, ontology) && (value > FEW || value < 0)) {
    return { value: FEW, words: `${FEW} and not ${value}`, size: Math.abs(value) };
  }
  return null;
}

/** An SQL statement that reaches every row, bounded to one. */
export function boundedStatement(facts: Facts): Change[] {
  if (!facts.bool('statement_is_unbounded')) return [];
  const { ontology, arguments: all } = facts.readings;
  return all
    .filter(
      ({ value, path }) => !path.includes('#') && /^\s*(?:delete|update)\b/i.test(value) && !/\bwhere\b/i.test(value),
    )
    .slice(0, MAX_CHANGES)
    .map(({ path, value }) => ({
      text: `the statement in \`${show(path, ontology)}\` were bounded to one row by a \`WHERE\``,
      decided_by: 'agent',
      concerns: path,
      apply: (evidence) => withParameter(evidence, path, `${withoutEnd(value, /[;\s]/)} WHERE id = 1`),
    }));
}

/** Where one command of a line ends; inside quotes it may cut too early, which only makes a change that does not help. */
const SEPARATOR = /\s{0,64}(?:&&|\|\||[;|\n])\s{0,64}/;

/** The beginning of a command line: the download without what runs it, the look without the deletion. */
export function shorterCommand(facts: Facts): Change[] {
  const { ontology, arguments: all } = facts.readings;
  return all
    .filter(({ role, path }) => role === 'command' && !path.includes('#'))
    .slice(0, MAX_CHANGES)
    .flatMap(({ path, value }): Change[] => {
      const first = value.split(SEPARATOR).find((part) => part !== '') ?? '';
      if (first === '' || first === value.trim()) return [];
      return [
        {
          text: `\`${show(path, ontology)}\` were only \`${show(first, ontology)}\``,
          decided_by: 'agent',
          concerns: path,
          apply: (evidence) => withParameter(evidence, path, first),
        },
      ];
    });
}

/** The data fields without those that are sensitive. */
export function fewerFields(facts: Facts): Change[] {
  const { data, event, ontology } = facts.readings;
  const fields = event.data_fields_accessed ?? [];
  const sensitive = new Set(
    data.touched.filter(({ severity, basis }) => severity >= 2 && basis !== 'value').map(({ where }) => where),
  );
  const nameOf = (field: (typeof fields)[number]): string => (typeof field === 'string' ? field : field.field);
  const dropped = fields.map(nameOf).filter((name) => sensitive.has(name));
  if (dropped.length === 0) return [];
  return [
    {
      text: `it did not touch ${[...new Set(dropped)]
        .slice(0, FEW)
        .map((name) => `\`${show(name, ontology)}\``)
        .join(', ')}`,
      decided_by: 'agent',
      concerns: 'data_fields_accessed',
      apply: (evidence) =>
        withEvent(evidence, (before) => ({
          ...before,
          data_fields_accessed: fields.filter((field) => !sensitive.has(nameOf(field))),
        })),
    },
  ];
}

/** Switches that widen an action: `recursive`, `force`, `all`, `public`. */
const wideningSwitches = perOntology((ontology) => setOf(ontology, 'widening_switches'));

export function withoutWideningSwitch(facts: Facts): Change[] {
  const { ontology, event } = facts.readings;
  const widening = wideningSwitches(ontology);
  return parametersOf(event)
    .leaves.filter(({ name, value }) => widening.has(name) && (value === true || value === 'true'))
    .slice(0, MAX_CHANGES)
    .map(({ path }) => ({
      text: `\`${show(path, ontology)}\` were not set`,
      decided_by: 'agent',
      concerns: path,
      apply: (evidence) => withParameter(evidence, path, DROP),
    }));
}

/** Verb group → a verb that prepares the same and can be taken back, and how «if …» goes on with it. */
const milderSteps = perOntology((ontology) => tableOf(ontology, 'milder_steps'));

/** The milder step, through a tool that can do no more than that. */
export function milderStep(facts: Facts): Change[] {
  const { ontology, action } = facts.readings;
  const [verb, text] = milderSteps(ontology).get(facts.string('effect')) ?? [];
  if (verb === undefined || text === undefined) return [];
  return [
    {
      text,
      decided_by: 'agent',
      concerns: 'action',
      apply: (evidence) =>
        withEvent(evidence, ({ mcp_context, ...event }) => {
          const { tool_name: _tool, ...server } = mcp_context ?? {};
          const milder = `${action.domain}:${action.scope}:${verb}`;
          return { ...event, action: milder, ...(mcp_context === undefined ? {} : { mcp_context: server }) };
        }),
    },
  ];
}
