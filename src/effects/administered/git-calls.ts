/**
 * Structured tools and requests for repositories, told as the command of git that does the same: `{ branch: "main", force: true }` is a
 * forced push, and so is a request that moves a branch with `force`. The reader of git judges both alike.
 */
import type { ParameterWalk } from '../../events/parameters.ts';
import { wordsOf } from '../../lang/names.ts';
import { remembering } from '../../lang/remember.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import type { World } from '../world.ts';

const MAX_NAME = 120;

export const gitCalls = perOntology((ontology) => ({
  tools: setOf(ontology, 'repository_tools'),
  pushing: setOf(ontology, 'pushing_words'),
  deleting: setOf(ontology, 'ref_deleting_words'),
  refs: setOf(ontology, 'ref_words'),
  force: setOf(ontology, 'force_parameters'),
  modes: setOf(ontology, 'force_modes'),
  branches: setOf(ontology, 'branch_parameters'),
  remotes: setOf(ontology, 'remote_parameters_of_git'),
  on: setOf(ontology, 'protection_switched_on'),
  branch: patternOf(ontology, 'ref_requests', 'branch'),
  forced: patternOf(ontology, 'ref_requests', 'forced'),
}));

const namesRepository = perOntology((ontology) => {
  const { tools } = gitCalls(ontology);
  return remembering((name) => wordsOf(name.replace(/[^\w]+/g, '_')).some((word) => tools.has(word)));
});

/** Whether a call's name says that it works on a repository. */
export const isForRepositories = (name: string, ontology: Ontology): boolean => namesRepository(ontology)(name);

/** Notes a call that pushes, moves or deletes a branch. */
export function readGitCall(world: World, name: string, { leaves }: ParameterWalk): void {
  const { pushing, deleting, refs, force, modes, branches, remotes, on } = gitCalls(world.ontology);
  const words = wordsOf(name.replace(/[^\w]+/g, '_'));
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  const isRef = has(refs);
  const isForced = leaves.some(
    ({ name: key, value }) =>
      (force.has(key) && on.has(String(value).toLowerCase())) || modes.has(String(value).toLowerCase()),
  );
  if (!has(pushing) && !(isRef && (isForced || has(deleting)))) return;
  const named = (set: ReadonlySet<string>): string => {
    const found = leaves.find(({ name: key, value }) => set.has(key) && typeof value === 'string')?.value;
    return typeof found === 'string' && /^[+\w./:@-]{1,120}$/.test(found) ? found : '';
  };
  const branch = named(branches)
    .replace(/^(\+?)(?:refs\/)?heads\//, '$1')
    .slice(0, MAX_NAME);
  const options = leaves.flatMap(({ value, is_element }) =>
    is_element && typeof value === 'string' && /^--?[a-z-]{1,30}$/.test(value) ? [value] : [],
  );
  if (isRef && has(deleting)) options.push('--delete');
  if (isForced && !options.some((option) => option.startsWith('--force'))) options.push('--force');
  world.run('shell', ['git push', ...options, named(remotes) || 'origin', branch].join(' ').trim());
}

/** Notes a request that moves a branch against its history: `PATCH …/git/refs/heads/main` with `force`. */
export function noteRefRequest(world: World, text: string): void {
  const { branch, forced } = gitCalls(world.ontology);
  const groups = forced.test(text) ? branch.exec(text)?.groups : undefined;
  const moved = groups?.['ref'] ?? groups?.['name'];
  if (moved !== undefined) world.run('shell', `git push --force origin ${moved}`);
}
