/** What a call does by the kinds of its parameters, where no word of its names is a verb: `mail` with a recipient and a text sends. */

import type { AgentEvent } from '../../../events/event.ts';
import { isPlausibleName, singular, snakeCase, wordsOf } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';
import type { Ontology, VerbEntry } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, patternsOf, setOf, tableOf } from '../../../ontology/words.ts';
import { verbOfName } from '../words/verb-lookup.ts';
import { verbLookup } from '../words/verb-table.ts';

interface Shape {
  verb: VerbEntry;
  kinds: readonly string[];
}

/** A call has no more parameters of its own; beyond them none is read, so that none is taken for a look. */
const MAX_PARAMETERS = 64;

const shapesOf = perOntology((ontology) => {
  const kinds = [...patternsOf(ontology, 'parameter_kinds')];
  const shapes: Shape[] = [];
  for (const [name, rows] of tableOf(ontology, 'shapes_of_verbs')) {
    const verb = ontology.verbs.get(name);
    if (verb !== undefined) for (const row of rows) shapes.push({ verb, kinds: row.split(' ') });
  }
  return {
    shapes,
    calling: setOf(ontology, 'calling_verbs'),
    looking: setOf(ontology, 'looking_kinds'),
    acting: setOf(ontology, 'acting_kinds'),
    paying: listOf(ontology, 'paying_kinds'),
    papers: setOf(ontology, 'papers_about_money'),
    kindsOf: remembering((key) => kinds.filter(([, pattern]) => pattern.test(snakeCase(key))).map(([kind]) => kind)),
  };
});

/**
 * The verb that the parameters of a call tell by their names; undefined where they tell none. A call with words that only choose what is
 * shown looks; any other parameter beside them ends that, so that nothing added to a call makes it a look.
 */
export function verbOfArguments({ parameters = {} }: AgentEvent, ontology: Ontology): VerbEntry | undefined {
  const { shapes, looking, kindsOf } = shapesOf(ontology);
  const keys = Object.keys(parameters);
  if (keys.length === 0 || keys.length > MAX_PARAMETERS) return undefined;
  const all = keys.map((key) => kindsOf(key));
  const present = new Set(all.flat());
  const shape = shapes.find(({ kinds }) => isTold(kinds, present, all));
  if (shape !== undefined) return shape.verb;
  return all.every((kinds) => kinds.some((kind) => looking.has(kind))) ? ontology.verbs.get('search') : undefined;
}

/**
 * The verb of a tool whose whole name is a word that is a noun as often: `charge` with an amount charges, `comment` with a text comments.
 * Undefined for other names, and where no parameter is one that only an act has: `invoice` with an id may show one.
 */
export function verbOfNoun({ parameters = {} }: AgentEvent, tool: string, ontology: Ontology): VerbEntry | undefined {
  const { acting, kindsOf } = shapesOf(ontology);
  const { noun_like, words } = verbLookup(ontology);
  const [only = '', ...others] = isPlausibleName(tool) ? wordsOf(tool) : [];
  const keys = Object.keys(parameters).slice(0, MAX_PARAMETERS);
  if (others.length > 0 || !noun_like.has(only)) return undefined;
  return keys.some((key) => kindsOf(key).some((kind) => acting.has(kind))) ? words.get(only) : undefined;
}

/**
 * Whether a call that is handed a path and a content writes the one to the other: its names hold no verb that says otherwise, so that
 * `file` and `frob_file` are tools that write.
 */
export function writesByShape(event: AgentEvent, ontology: Ontology): boolean {
  const { tool_name = '' } = event.mcp_context ?? {};
  const verb = event.action.slice(event.action.lastIndexOf(':') + 1);
  const lookup = verbLookup(ontology);
  if (isPlausibleName(tool_name) && verbOfName(tool_name, lookup) !== undefined) return false;
  if (!shapesOf(ontology).calling.has(verb) && verbOfName(verb, lookup) !== undefined) return false;
  return verbOfArguments(event, ontology)?.verb === 'write';
}

/**
 * The verb of paying where a call hands an amount and an account to somebody, whatever its own verb is: `wire:send`, `transfer:execute`.
 * A paper that asks for money names an account as well, so a call whose names speak of one is none.
 */
export function paymentOfArguments(
  { parameters = {} }: AgentEvent,
  name_words: readonly string[],
  ontology: Ontology,
): VerbEntry | undefined {
  const { kindsOf, paying, papers } = shapesOf(ontology);
  const keys = Object.keys(parameters);
  if (keys.length < paying.length || keys.length > MAX_PARAMETERS) return undefined;
  const all = keys.map((key) => kindsOf(key));
  if (!isTold(paying, new Set(all.flat()), all) || name_words.some((word) => papers.has(singular(word))))
    return undefined;
  return ontology.verbs.get('transfer');
}

/** Whether each kind is there, each by a parameter of its own. */
function isTold(kinds: readonly string[], present: ReadonlySet<string>, all: readonly (readonly string[])[]): boolean {
  if (!kinds.every((kind) => present.has(kind))) return false;
  return all.filter((own) => own.some((kind) => kinds.includes(kind))).length >= kinds.length;
}
