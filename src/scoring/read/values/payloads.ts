/** Values of an event that are code for what receives them: a query, page, template, mail or machine behind the tool. */
import { type Payload, payloadIn, type Slot } from '../../../effects/injected/payload.ts';
import { rolesOf } from '../../../effects/parameters/parameter-roles.ts';
import { codeShapes, looksLikeSql } from '../../../effects/parameters/shapes.ts';
import { type Hints, namesOf } from '../../../effects/parameters/tool-names.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { editsOfEvent } from '../action/content/edits.ts';
import { isOfServer } from '../action/naming/action-domain.ts';
import { isToolOfAgent } from '../action/own-work.ts';

export interface InjectedPayload extends Payload {
  /** Path of the parameter. */
  parameter: string;
  /** The value, at most 120 characters. */
  value: string;
}

const keys = perOntology((ontology) => ({
  roleOf: rolesOf(ontology),
  code: setOf(ontology, 'code_keys'),
  domains: setOf(ontology, 'code_domains'),
  text: setOf(ontology, 'text_keys'),
  one_line: setOf(ontology, 'one_line_keys'),
  markup: setOf(ontology, 'markup_keys'),
}));

const MAX_FOUND = 8;
const MAX_READ = 400;
const SHOWN = 120;
const NONE: readonly InjectedPayload[] = [];

/** The payloads in the parameters of a tool that takes data; none where the tool's own work is code. */
export function readPayloads(event: AgentEvent, action: ActionReading, ontology: Ontology): readonly InjectedPayload[] {
  if (event.parameters === undefined) return NONE;
  const known = keys(ontology);
  const { hints, file_verb } = namesOf(ontology, event);
  if (file_verb !== null || hints.shell || hints.python || hints.javascript) return NONE;
  // A server may be called `files`; the call itself has to say that it handles files.
  const isCodeTool = !isOfServer(action.domains) && known.domains.has(action.known_domain);
  // An agent that is handed a task with code in it runs none of it by being told.
  if (isToolOfAgent(event, ontology)) return NONE;
  let found: InjectedPayload[] | null = null;
  let left = MAX_READ;
  let edited: ReadonlySet<string> | undefined;
  for (const leaf of parametersOf(event).leaves) {
    const { value } = leaf;
    if (typeof value !== 'string' || value.length < 3 || left-- <= 0) continue;
    const isPieceOfSql = isSqlWithoutStatement(leaf, hints, known.roleOf, ontology);
    if (isCodeTool && !isPieceOfSql && !isName(leaf, hints, known.roleOf)) continue;
    // A formula that starts a program attacks whoever opens the sheet, also where a formula is what the parameter takes.
    const isCode = !isPieceOfSql && takesCode(leaf, hints, known);
    if (isCode && !value.startsWith('=')) continue;
    if ((edited ??= editedTexts(event, ontology)).has(value)) continue;
    const payload = payloadIn(value, slotOf(leaf, known), ontology);
    if (isCode && payload?.language !== 'formula') continue;
    if (payload === null || payload.strength < 2 || (isPieceOfSql && payload.language !== 'sql')) continue;
    found ??= [];
    found.push({ ...payload, parameter: leaf.path, value: value.slice(0, SHOWN) });
    if (found.length >= MAX_FOUND) break;
  }
  return found ?? NONE;
}

/** What an edit of a named file takes away and puts in: code is at home there, and is read as what the file becomes. */
const editedTexts = (event: AgentEvent, ontology: Ontology): ReadonlySet<string> =>
  new Set(
    editsOfEvent(event, ontology)
      .filter(({ path, before }) => path !== '' && before !== '')
      .flatMap(({ before, after }) => [before, after]),
  );

type Keys = ReturnType<typeof keys>;

/** A database tool takes statements; its other parameters are names and keys, in which SQL is as foreign as elsewhere. */
function isName(leaf: Leaf, hints: Hints, roleOf: Keys['roleOf']): boolean {
  return hints.sql && roleOf(leaf.key) === 'prose';
}

/**
 * `' OR 1=1 --` where a tool of a database takes a query: no statement, so it is meant to become part of one that the tool makes. What
 * the names of tool and server say of a database changes nothing about that.
 */
function isSqlWithoutStatement(
  { key, value }: Leaf,
  hints: Hints,
  roleOf: Keys['roleOf'],
  ontology: Ontology,
): boolean {
  if (!hints.sql || typeof value !== 'string' || !isQuery(key) || roleOf(key) !== 'sql') return false;
  return !codeShapes(ontology).statement.test(value.slice(0, MAX_HEAD)) && !looksLikeSql(value, ontology);
}

/** A parameter that takes a search on one tool and a statement on another. */
const isQuery = (key: string): boolean => key.toLowerCase() === 'query';

/** Characters in which a statement begins. */
const MAX_HEAD = 256;

function takesCode(leaf: Leaf, hints: Hints, known: Keys): boolean {
  const role = known.roleOf(leaf.key);
  if (role === 'shell' || role === 'code' || known.code.has(leaf.name)) return true;
  return role === 'sql' && (hints.sql || !isQuery(leaf.key));
}

function slotOf(leaf: Leaf, known: Keys): Slot {
  return {
    is_text: known.text.has(leaf.name),
    is_one_line: known.one_line.has(leaf.name),
    is_markup: known.markup.has(leaf.name),
  };
}
