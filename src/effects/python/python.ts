/** Reads Python code: parses it with the Lezer grammar and evaluates it as far as constants are known. */

import { scanCalls } from '../code/scan.ts';
import { readSyntax } from '../code/syntax.ts';
import type { World } from '../world.ts';
import { pythonLibrary } from './python-calls.ts';
import { PythonEvaluator } from './python-evaluator.ts';
import { runEscapes } from './python-values.ts';

/** Characters of a script that are parsed. The parser takes 0.1 ms per 1,000 characters. */
const MAX_CODE = 32_000;

export function readPython(code: string, world: World): void {
  const library = pythonLibrary(world.ontology);
  const plain = runEscapes(code.slice(0, MAX_CODE), world);
  const syntax = readSyntax('python', plain, world.budget);
  if (syntax?.is_too_deep === true) world.was_cut = true;
  if (syntax !== null) new PythonEvaluator(world, plain, library).run(syntax.root);
  if (syntax?.is_whole === true && code.length <= MAX_CODE) return;
  world.has_unparsed = true;
  if (syntax === null || syntax.to < plain.length || code.length > MAX_CODE) world.was_cut = true;
  scanCalls(`${plain.slice(syntax?.to ?? 0)}\n${code.slice(MAX_CODE)}`, library.calls, world);
}
