/** A formula for a sheet that fetches an address made of other cells: at each calculation these cells leave. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { TextReading } from '../conversation/text.ts';
import { userWords } from '../conversation/user-words.ts';

const fetching = perOntology((ontology) => setOf(ontology, 'fetching_formulas'));

const MAX_LEAVES = 500;
const LONGEST = 2_000;
const CALL = /([A-Z][A-Z.]{2,24})\(/gi;
const HOST = /https?:\/\/([\w.-]{3,253})/i;
/** A text that goes on with a cell: `"https://…?d="&A1`, `&Bids!B2:F40`. */
const JOINED = /"\s{0,4}&\s{0,4}(?:[A-Z]{3,24}\(){0,6}[^"&]{0,40}?\$?[A-Z]{1,3}\$?\d{1,7}\b/i;

/** Host to which the cells go, '' if there is no such formula or the user named the host. */
export function hostOfFormula(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  for (const { value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string' || !/^\s{0,8}[=+@]/.test(value)) continue;
    const formula = value.slice(0, LONGEST);
    const host = HOST.exec(formula)?.[1]?.toLowerCase();
    if (host === undefined || !calls(formula, ontology) || !isJoined(formula)) continue;
    if (!userWords(text).toLowerCase().includes(host)) return host;
  }
  return '';
}

const calls = (formula: string, ontology: Ontology): boolean =>
  [...formula.matchAll(CALL)].some(([, name = '']) => fetching(ontology).has(name.toLowerCase()));

/** The address goes on with a cell, by `&` or in a function that joins texts. */
const isJoined = (formula: string): boolean => JOINED.test(formula) || /\b(?:CONCAT\w{0,8}|TEXTJOIN)\(/i.test(formula);
