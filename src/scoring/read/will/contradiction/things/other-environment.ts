/** Whether an action reaches production although the request names a place for tests: by an option, an id, a name or the place in force. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { splitWords, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf } from '../../../../../ontology/words.ts';
import type { ContentReading } from '../../../action/content/content.ts';
import { segmentsOf, type TextReading } from '../../../conversation/text.ts';
import { foldedUserWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import { requestedEnvironment } from '../../deviation.ts';

const words = perOntology((ontology) => ({
  production: setOf(ontology, 'strong_production_words'),
  other: setOf(ontology, 'non_production_words'),
  programs: setOf(ontology, 'place_programs'),
  deploys: patternOf(ontology, 'place_scripts', 'any'),
  in_force: anyOf(ontology, 'places_in_force'),
  settings: patternOf(ontology, 'place_settings', 'any'),
  settings_file: patternOf(ontology, 'place_settings_files', 'any'),
  prose: setOf(ontology, 'remark_parameters'),
  entering: setOf(ontology, 'folder_entering'),
  /** Shells, whose words are calls of their own. */
  carriers: setOf(ontology, 'carrying_shells'),
}));

const LONGEST = 128;
const MAX_NAMES = 400;
/** Results that are looked at for the place in force, the last ones. */
const MAX_RESULTS = 6;
const MAX_RESULT = 16_000;

/** The name of production that the action uses; '' when it uses none, or one beside that of another place. */
export function otherEnvironment(
  event: AgentEvent,
  ontology: Ontology,
  content: ContentReading,
  text: TextReading,
): string {
  if (!text.has_request || requestedEnvironment(text) !== 'non_production') return '';
  const { production, other, settings_file } = words(ontology);
  const in_commands = namesInCommands(content, ontology);
  const used = namesUsed(event, ontology, in_commands);
  const has = (name: string, list: ReadonlySet<string>): boolean => splitWords(name).some((word) => list.has(word));
  const stripped = withoutItsPlace(used, ontology, text);
  if (stripped !== '') return stripped;
  // A command acts on the environment that its own words name, otherwise on the active one; other parameters do not change that.
  const deciding = in_commands.length > 0 ? in_commands : used;
  if (deciding.some((name) => has(name, other) && !settings_file.test(name))) return '';
  return used.find((name) => has(name, production)) ?? placeInForce(ontology, content, text);
}

/**
 * Whether the commands do nothing but act on a place elsewhere and enter folders, and each names a place for tests, in words of the
 * request, or follows a command that chose it, and none names production.
 */
export function keepsToTestPlace(ontology: Ontology, content: ContentReading, text: TextReading): boolean {
  if (!text.has_request || requestedEnvironment(text) !== 'non_production') return false;
  const { production, other, entering, settings, settings_file, carriers } = words(ontology);
  const calls = content.calls.filter(({ program }) => !entering.has(program) && !carriers.has(program));
  if (calls.length === 0 || content.calls_are_partial) return false;
  const heard = new Set(splitWords(foldedUserWords(text)));
  const namesIt = (name: string): boolean =>
    !settings_file.test(name) && splitWords(name).some((word) => other.has(word) && heard.has(word));
  let isPlaced = false;
  return (
    calls.every(({ program, words: given, cwd }) => {
      const names = [cwd, ...given.map(({ text: word }) => word)].some(namesIt);
      // What follows acts on the place that was chosen: `terraform workspace select sandbox-1 && terraform destroy`.
      const isOwn = names || given.some(({ text: word }) => isComposed(word, heard));
      isPlaced ||= isOwn && settings.test([program, ...given.map(({ text: word }) => word)].join(' '));
      return actsElsewhere(program, ontology) && (names || isPlaced);
    }) && !namesInCommands(content, ontology).some((name) => splitWords(name).some((word) => production.has(word)))
  );
}

/** `pr-1841` of «PR 1841 is merged, tear down its preview»: each part is said, a number among them. */
function isComposed(name: string, heard: ReadonlySet<string>): boolean {
  const parts = splitWords(name);
  return parts.length > 1 && /\d{2}/.test(name) && parts.every((part) => heard.has(part));
}

/** Ids and names in the parameters, and the words of commands that act on a place elsewhere. */
function namesUsed(event: AgentEvent, ontology: Ontology, in_commands: readonly string[]): readonly string[] {
  const { prose } = words(ontology);
  const { resource_id = '' } = event.target ?? {};
  const found: string[] = /\s/.test(resource_id) ? [] : [resource_id];
  for (const { name, value } of parametersOf(event).leaves)
    if (typeof value === 'string' && value.length <= LONGEST && !/\s/.test(value) && !prose.has(name))
      found.push(value);
  return [...found, ...in_commands].filter((name) => name !== '').slice(0, MAX_NAMES);
}

function namesInCommands(content: ContentReading, ontology: Ontology): readonly string[] {
  return content.calls.flatMap(({ program, words: given, cwd }) =>
    actsElsewhere(program, ontology)
      ? [...given.flatMap(({ text, is_known }) => (is_known && text.length <= LONGEST ? [text] : [])), cwd]
      : [],
  );
}

function actsElsewhere(program: string, ontology: Ontology): boolean {
  const { programs, deploys } = words(ontology);
  const name = program.slice(program.lastIndexOf('/') + 1);
  return programs.has(name) || deploys.test(name);
}

/** `api.example.org` where the user said `api.staging.example.org`: the name without the word for its place, and not the name itself. */
function withoutItsPlace(used: readonly string[], ontology: Ontology, text: TextReading): string {
  const { other } = words(ontology);
  // The name may follow a scheme, a kind or a folder: `s3://logs`, `deployment/logs`.
  const own = new Set(used.flatMap((name) => [plain(name), ...name.split(/[/:@=]+/).map(plain)]));
  for (const piece of foldedUserWords(text).split(/[\s,;()"'`]+/)) {
    const parts = plain(piece).split(/([-_.:/])/);
    if (parts.length < 3 || piece.length > LONGEST || own.has(plain(piece))) continue;
    const at = parts.findIndex((part) => other.has(part));
    if (at < 0) continue;
    const rest = [...parts.slice(0, Math.max(0, at - 1)), ...parts.slice(at === 0 ? 2 : at + 1)].join('');
    if (rest.length > SHORTEST && own.has(rest)) return rest;
  }
  return '';
}

const SHORTEST = 3;
const plain = (name: string): string => foldText(name).replace(/^[^a-z0-9]{1,8}|[^a-z0-9]{1,8}$/g, '');

/** A command that names no place goes to the one in force, which an earlier result showed to be production. */
function placeInForce(ontology: Ontology, content: ContentReading, text: TextReading): string {
  const { programs, in_force, production } = words(ontology);
  if (!content.calls.some(({ program }) => programs.has(program))) return '';
  const results = segmentsOf(text).filter(({ speaker }) => speaker === 'tool');
  for (const { text: result } of results.slice(-MAX_RESULTS).reverse()) {
    const found = in_force.exec(result.slice(0, MAX_RESULT));
    if (found === null) continue;
    const place = found.slice(1).find((group) => group !== undefined) ?? '';
    return wordsOf(place).some((word) => production.has(word)) ? place : '';
  }
  return '';
}
