/**
 * A command in parts, each under a name of its own: `{ executable: "rm", options: { recursive: true }, operands: ["/srv"] }`. The program
 * is told by its name, what it does by its options and operands.
 */
import type { Json } from '../../lang/json.ts';
import { snakeCase } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { startsWithProgram } from './shapes.ts';

type Parameters = { [key: string]: Json };

export const structuredWords = perOntology((ontology) => ({
  programs: setOf(ontology, 'program_name_parameters'),
  options: setOf(ontology, 'option_parameters'),
  operands: setOf(ontology, 'operand_parameters'),
}));

const PROGRAM = /^(?:\/[\w./-]{1,64}\/)?[a-z][\w.+-]{0,32}$/;
const MAX_WORDS = 64;
const MAX_WORD = 2_000;

/** The words of such a command; `null` where no parameter names a program, or none its options or operands. */
export function structuredCommand(parameters: Parameters, ontology: Ontology): string[] | null {
  const { programs, options, operands } = structuredWords(ontology);
  let program = '';
  const words: string[] = [];
  const places: string[] = [];
  for (const [key, value] of Object.entries(parameters)) {
    const name = snakeCase(key);
    if (programs.has(name) && typeof value === 'string' && PROGRAM.test(value)) program = value;
    else if (options.has(name)) words.push(...optionsIn(value));
    else if (operands.has(name)) places.push(...textsIn(value));
  }
  const rest = [...words, ...places].slice(0, MAX_WORDS);
  if (program === '' || rest.length === 0 || !startsWithProgram(program, ontology)) return null;
  return [program, ...rest];
}

/** `{ recursive: true, depth: 2 }` and `["-r"]` as options. */
function optionsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return textsIn(value);
  return Object.entries(value).flatMap(([name, set]) => {
    if (set === false || set === null) return [];
    const option = name.startsWith('-') ? name : `${name.length === 1 ? '-' : '--'}${name.replaceAll('_', '-')}`;
    return set === true || set === '' ? [option] : [option, ...textsIn(set)];
  });
}

const textsIn = (value: Json): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((one): one is string | number => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).slice(0, MAX_WORD));
