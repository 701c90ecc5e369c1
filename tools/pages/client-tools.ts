/** `clients/tools.json`: tool names and the actions that they mean, for the clients of every language. */
import type { Knowledge } from '../../src/scoring/knowledge.ts';

/** Tool, in lower case → its servers, the riskiest action first, and what calling it means there. */
export type ToolTable = Record<string, [server: string, action: string][]>;

export function toolTable({ ontology }: Pick<Knowledge, 'ontology'>): ToolTable {
  const riskOf = (action: string): number =>
    ontology.verbs.get(action.slice(action.lastIndexOf(':') + 1))?.base_risk ?? 0;
  const rows = [...ontology.tools].map(([name, entries]): [string, [string, string][]] => [
    name,
    entries
      .map(({ server, action }): [string, string] => [server, action])
      // Stable: of equal risks the first stays first, as in the engine's own choice.
      .toSorted(([, one], [, other]) => riskOf(other) - riskOf(one)),
  ]);
  return Object.fromEntries(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The data file, its copy in the package for Python, and the same as a module, because browsers and older Node import no JSON. */
export function clientTools(knowledge: Knowledge): [path: string, text: string][] {
  const rows = Object.entries(toolTable(knowledge)).map(
    ([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`,
  );
  const json = `{\n${rows.join(',\n')}\n}\n`;
  const note = '// Written by `npm run pages` from ontology/actions/tools, like clients/tools.json; do not edit.\n';
  const type = 'Readonly<Record<string, readonly (readonly [server: string, action: string])[]>>';
  return [
    ['clients/tools.json', json],
    ['clients/python/weir_client/tools.json', json],
    ['clients/typescript/src/tools.ts', `${note}export const TOOLS: ${type} = ${json.trimEnd()};\n`],
  ];
}
