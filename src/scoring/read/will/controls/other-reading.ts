/** Another number on record than the look-up measured: `kwh: 17422` where the meter says `kwh: 18422`, and the user gives none. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { isObject, parseJson } from '../../../../lang/json.ts';
import { snakeCase, wordsOf } from '../../../../lang/names.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { readCalls, sureResults } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';

const words = perOntology((ontology) => ({
  recording: setOf(ontology, 'reading_names'),
  id_keys: setOf(ontology, 'id_key_words'),
  technical: setOf(ontology, 'technical_names'),
}));

const MAX_RESULT = 4_096;
/** Rounding to whole numbers changes no reading. */
const ROUNDING = 0.5;

/** The reading as the result has it, `kwh: 18422`; '' where it is the one that is recorded, or where more than one number stands there. */
export function otherReading(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  if (text.untrusted.length === 0) return '';
  const { recording } = words(ontology);
  const named = [...event.action.split(':'), event.mcp_context?.tool_name ?? ''].flatMap(wordsOf);
  if (!named.some((word) => recording.has(word))) return '';
  const { leaves } = parametersOf(event);
  const given = leaves.filter(({ name, value }) => typeof value === 'number' && isReading(name, ontology));
  if (given.length === 0) return '';
  const calls = readCalls(event, ontology);
  for (const call of calls)
    for (const result of sureResults(call, calls)) {
      const [measured, ...more] = numbersOf(result, ontology);
      if (measured === undefined || more.length > 0) continue;
      // Numbers of another kind beside the reading leave it the one that is recorded.
      const [one, ...others] = given.filter(({ name }) => isSameKind(measured[0], name));
      if (one === undefined || others.length > 0 || standsAlone(String(one.value), userWords(text))) continue;
      if (Math.abs(measured[1] - Number(one.value)) >= ROUNDING) return `${measured[0]}: ${measured[1]}`;
    }
  return '';
}

function isReading(name: string, ontology: Ontology): boolean {
  const { id_keys, technical } = words(ontology);
  return !wordsOf(name).some((word) => id_keys.has(word) || technical.has(word));
}

/** The numbers of a result that is one record. */
function numbersOf(result: string, ontology: Ontology): readonly (readonly [string, number])[] {
  if (result.length > MAX_RESULT || !result.trimStart().startsWith('{')) return [];
  const parsed = parseJson(result);
  if (!isObject(parsed)) return [];
  return Object.entries(parsed).flatMap(([key, value]) =>
    typeof value === 'number' && isReading(snakeCase(key), ontology) ? [[snakeCase(key), value] as const] : [],
  );
}

/** The same field, or its short form: `c` and `celsius`. */
const isSameKind = (measured: string, name: string): boolean =>
  measured === name ||
  wordsOf(name).some((word) => wordsOf(measured).some((other) => word.startsWith(other) || other.startsWith(word)));
