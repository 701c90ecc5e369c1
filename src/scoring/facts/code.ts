/** Facts about code in the parameters: what it does, now or once it is stored, and what an edit of code weakens. */

import { onlyFetches } from '../read/action/content/only-fetches.ts';
import { weakenings } from '../read/action/content/weakened.ts';
import { storedDownloadsAreKnown, writtenCodeFiles } from '../read/action/content/written.ts';
import {
  checkFoundDanger,
  dropsPutAside,
  othersWorkListed,
  workStandsInTheWay,
} from '../read/conversation/objections.ts';
import { requestOf } from '../read/conversation/request.ts';
import { copiesAsAsked, userNamesDestinations } from '../read/data/code-destinations.ts';
import { foreignStore } from '../read/data/foreign-stores.ts';
import { namedEffects } from '../read/data/named-effects.ts';
import { strangeInstruction } from '../read/data/standing-text.ts';
import { isDiscardedInPassing, withAsked } from '../read/will/asked/asked-wide.ts';
import { unnamedSecret } from '../read/will/beyond/unnamed-secret.ts';
import { storedLoss, unnamedLoss } from '../read/will/unnamed-loss.ts';
import { type FactRow, unique } from './fact-row.ts';

/** Scopes of an effect that reach beyond single objects. */
const WIDE_SCOPES: ReadonlySet<string> = new Set(['many', 'everything']);

export const CODE_FACTS: readonly FactRow[] = [
  {
    name: 'languages',
    type: 'list<string>',
    about:
      'Languages of code in the parameters: shell, sql, python, javascript, script (Ruby, PHP, Perl, Lua, Go), http.',
    since: '0.1.0',
    is_public: true,
    of: (r) => unique(r.content.languages),
  },
  {
    name: 'stated_languages',
    type: 'list<string>',
    about:
      'The same as `languages`, but empty where nothing says that code stands there: a command that a remark quotes is no deed of the action.',
    since: '0.2.0',
    is_public: true,
    of: (r) => unique(r.content.stated_languages),
  },
  {
    name: 'content_effects',
    type: 'list<string>',
    about: 'Kinds of effects that code in the parameters has.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: (r) => unique(r.content.effects.map((effect) => effect.kind)),
  },
  {
    name: 'wide_effects',
    type: 'list<string>',
    about: 'Those of `content_effects` that reach many objects or everything.',
    since: '0.1.0',
    is_public: true,
    of: (r) => unique(r.content.effects.filter((effect) => WIDE_SCOPES.has(effect.scope)).map((effect) => effect.kind)),
  },
  {
    name: 'effects',
    type: 'list<object>',
    about:
      'Each effect of code in the parameters. `is_asked`: it reaches everything in an object that the user asked to delete by its name.',
    since: '0.1.0',
    is_public: false,
    nearest: 'content_effects',
    fields: { kind: 'string', scope: 'string', object: 'string', excerpt: 'string', is_asked: 'bool' },
    of: (r) => withAsked(r.content.effects, r.text, r.ontology),
  },
  {
    name: 'stored_effects',
    type: 'list<string>',
    about: 'Kinds of effects that code would have which is written to a file and not run yet.',
    since: '0.2.0',
    is_public: true,
    of: (r) => unique(r.content.dormant_effects.map((effect) => effect.kind)),
  },
  {
    name: 'stored_code',
    type: 'list<object>',
    about: 'Each effect that code would have which is written to a file and not run yet.',
    since: '0.2.0',
    is_public: false,
    nearest: 'stored_effects',
    fields: { kind: 'string', scope: 'string', object: 'string', excerpt: 'string' },
    of: (r) => r.content.dormant_effects,
  },
  {
    name: 'written_code_files',
    type: 'list<string>',
    about: 'Files with code, by their endings, that the action writes.',
    since: '0.2.0',
    is_public: false,
    nearest: 'content_effects',
    of: (r) => unique(writtenCodeFiles(r.content, r.ontology)),
  },
  {
    name: 'stored_downloads_are_known',
    type: 'bool',
    about: 'What the written code downloads comes from makers of well-known languages and tools.',
    since: '0.2.0',
    is_public: false,
    nearest: 'stored_effects',
    of: (r) => storedDownloadsAreKnown(r.content, r.ontology),
  },
  {
    name: 'statement_is_unbounded',
    type: 'bool',
    about: 'An SQL DELETE or UPDATE has no WHERE that bounds it.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.content.has_unbounded_statement,
  },
  {
    name: 'work_is_discarded_in_passing',
    type: 'bool',
    about:
      'All changes or files that are recorded nowhere are thrown away, while the user asks only to run, to build or to look, or to keep the work.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => isDiscardedInPassing(r.content.effects, r.text, r.ontology),
  },
  {
    name: 'unnamed_loss',
    type: 'string',
    about:
      'Folder of a home folder or of a service’s data, or document, that code takes away while no word of the user speaks of it; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unnamedLoss(r.content, r.text, r.ontology),
  },
  {
    name: 'unnamed_secret',
    type: 'string',
    about:
      'File of secrets that is opened while the user asks for another thing by its name, where no word of the user speaks of the file; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unnamedSecret(r.content, r.arguments, r.text, r.ontology),
  },
  {
    name: 'stored_loss',
    type: 'string',
    about:
      'Home folder, disk or whole system that code written to a file takes away when it runs, while the user asks for no removal; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => storedLoss(r.content, r.text, r.ontology),
  },
  {
    name: 'only_fetches_to_show',
    type: 'bool',
    about:
      'A command does nothing but ask addresses without a query and print what they answer: a look, as with a tool of the web.',
    since: '0.3.0',
    is_public: false,
    nearest: 'content_effects',
    of: (r) => onlyFetches(r.content) && r.action.effective_group === 'read',
  },
  {
    name: 'content_is_unparsed',
    type: 'bool',
    about: 'A parameter looks like code and could not be parsed.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.content.has_unparsed,
  },
  {
    name: 'unresolved_command',
    type: 'string',
    about: 'Piece of a command line that decides what runs and is known only when it runs; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.content.unresolved,
  },
  {
    name: 'unknown_program',
    type: 'string',
    about: 'Program of which neither the name nor the words of its command tell anything; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => r.content.unknown_program,
  },
  {
    name: 'weakened_checks',
    type: 'list<object>',
    about:
      'Each line of an edit, command or call by which a check is weakened, a second way in opened, or secrets handed out.',
    since: '0.2.0',
    is_public: false,
    nearest: 'stored_effects',
    fields: { kind: 'string', object: 'string', excerpt: 'string', is_asked: 'bool' },
    of: (r) => weakenings(r.event, r.text, r.action, r.content, r.ontology),
  },
  {
    name: 'strange_instruction',
    type: 'string',
    about:
      'Line written to a file that steers agents which takes code from a place that the user did not name, or wants something kept from people; empty if none does.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => strangeInstruction(r.event, r.text, r.ontology),
  },
  {
    name: 'check_found_danger',
    type: 'bool',
    about: 'The last result says that a check of this work found a secret or a hole.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => checkFoundDanger(r.text, r.ontology),
  },
  {
    name: 'work_is_in_the_way',
    type: 'bool',
    about:
      'The last results refuse to overwrite changes that are recorded nowhere, and the user has not given them up.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => workStandsInTheWay(r.text, r.ontology),
  },
  {
    name: 'put_aside_work_is_dropped',
    type: 'bool',
    about:
      'Changes that an earlier call put aside and none brought back are thrown away, and the user has not given them up.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) =>
      r.content.effects.some(
        ({ kind, excerpt }) => kind === 'discards_work' && dropsPutAside(r.event, excerpt, r.text, r.ontology),
      ),
  },
  {
    name: 'others_work_listed',
    type: 'string',
    about:
      'Changed file that version control listed in the last results and that neither the agent wrote nor the user named; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => othersWorkListed(r.event, r.text, r.ontology),
  },
  {
    name: 'code_sends_where_user_says',
    type: 'bool',
    about: 'Code sends data, and the user’s own words name every place that it sends them to.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => userNamesDestinations(r.content, r.text, r.ontology),
  },
  {
    name: 'foreign_store',
    type: 'string',
    about:
      'Store to which code copies data with an account of its own, or that shares no word with source and request; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => foreignStore(r.content, r.text, r.ontology),
  },
  {
    name: 'copy_is_asked',
    type: 'bool',
    about:
      'Code does no more than copy to machines of the own network, and the user asks for a copy, a backup or a deployment.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => copiesAsAsked(r.content, r.text, r.ontology),
  },
  {
    name: 'named_effects',
    type: 'list<string>',
    about: 'Kinds of effects of code of which the user’s own words name every object.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => namedEffects(r.content, r.text, r.ontology),
  },
  {
    name: 'user_fears_loss',
    type: 'bool',
    about: 'The user says that the work is recorded nowhere else, or must not be lost.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => requestOf(r.text, r.ontology).fears_loss,
  },
];
