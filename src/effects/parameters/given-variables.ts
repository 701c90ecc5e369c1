/** Variables of the environment that a tool is given beside a command: `env: { PAGER: "…" }`, `env: ["PAGER=…"]`. */
import { isObject, type Json, type JsonObject } from '../../lang/json.ts';
import { snakeCase } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { isRunByPrograms } from '../program-variables.ts';

const holders = perOntology((ontology) => setOf(ontology, 'variable_parameters'));
const MAX_GIVEN = 64;
const MAX_VALUE = 8_192;

/** Commands of a shell that set those variables by which programs run something; '' where there are none. */
export function givenVariables(parameters: JsonObject, ontology: Ontology): string {
  const lines: string[] = [];
  for (const [key, value] of Object.entries(parameters))
    if (holders(ontology).has(snakeCase(key)))
      for (const [name, given] of variablesIn(value).slice(0, MAX_GIVEN))
        if (isRunByPrograms(name, ontology))
          lines.push(`export ${name}='${given.slice(0, MAX_VALUE).replaceAll("'", `'\\''`)}'`);
  return lines.join('\n');
}

/** `{ A: "b" }`, `["A=b"]`, `[{ name: "A", value: "b" }]` and `"A=b"`. */
function variablesIn(value: Json): [name: string, value: string][] {
  const ofLine = (line: string): [string, string][] => {
    const [, name, given] = /^\s{0,8}(\w{1,64})=(.*)$/s.exec(line) ?? [];
    return name === undefined ? [] : [[name, given!]];
  };
  if (typeof value === 'string') return value.split('\n').flatMap(ofLine);
  if (Array.isArray(value))
    return value.flatMap((one): [string, string][] => {
      if (typeof one === 'string') return ofLine(one);
      if (!isObject(one)) return [];
      const [name, given] = [one['name'] ?? one['key'], one['value']];
      return typeof name === 'string' && typeof given === 'string' ? [[name, given]] : [];
    });
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, given]) =>
    typeof given === 'string' ? [[name, given] as [string, string]] : [],
  );
}
