/**
 * Facts for exceptions: what an action reaches, from its parsed structure. They are the only facts that may be missing: where
 * the reading is incomplete, or something in the event does not belong to the list, there is no list.
 */
import type { Known } from '../read/action/structure/structure.ts';
import type { Readings } from '../read/readings.ts';
import type { FactRow } from './fact-row.ts';

type Name =
  | 'programs'
  | 'subcommands'
  | 'hosts'
  | 'path_classes'
  | 'registries'
  | 'branches'
  | 'branch_kinds'
  | 'repositories'
  | 'recipient_domains';

function row(name: Name, about: string): FactRow {
  return {
    name,
    type: 'list<string>',
    about: `${about} Missing unless everything in the event was understood and belongs to it.`,
    since: '0.2.0',
    is_public: true,
    relief: 'grows',
    of: (r: Readings): Known => r.structure[name],
  };
}

export const STRUCTURE_FACTS: readonly FactRow[] = [
  row(
    'programs',
    'Every program that the command lines call, wrappers and what they run included; a program in a folder of its own by its path.',
  ),
  row(
    'subcommands',
    'Every call of the command lines as program and sub-command, `git push`, `gh pr create`; the program alone where it has none.',
  ),
  row('hosts', 'Every host that the URLs of a request, or of `curl` and the like in command lines, name.'),
  row(
    'path_classes',
    'Kinds of places of every path that command lines or a file tool touch: `workspace`, `whole_workspace`, `build_output`, `scratch`, `home`, `system`, `other`, and what of note is there: `credential`, `agent_file`, `start_file`, `repository` and others.',
  ),
  row(
    'registries',
    'Hosts of every package source that the command lines name for what they install; not known where settings decide.',
  ),
  row(
    'branches',
    'Every branch that `git` pushes to, makes, moves or removes, by its name; not known where the line leaves it to settings or pushes to an address.',
  ),
  row(
    'branch_kinds',
    'For each of `branches`: `shared` if others build on it by its name (`main`, `release/…`), `own` otherwise.',
  ),
  row('repositories', 'Every repository, `owner/name`, that the calls of a forge’s client name with `--repo`.'),
  row(
    'recipient_domains',
    'Domain of every recipient of a message, in lower case; not known where a recipient is no plain address.',
  ),
];
