/** What an edit plants beside the work: an account with power, a secret in a log, a place of code that is a stranger's. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, listOf, patternOf } from '../../ontology/words.ts';
import { isLoopback } from '../hosts.ts';
import { isBelow, sourceWords } from '../package-sources.ts';
import type { Changed } from './added-lines.ts';
import type { Edit } from './edits.ts';

export interface Planted {
  kind: 'account_planted' | 'secret_logged' | 'source_replaced';
  line: string;
}

/** Characters of one statement. */
const MAX_STATEMENT = 800;
const MAX_ADDED = 65_536;

const signsOf = perOntology((ontology) => {
  const logged = (name: string): RegExp => patternOf(ontology, 'logged_secrets', name);
  const source = (name: string): RegExp => patternOf(ontology, 'code_sources', name);
  return {
    accounts: anyOf(ontology, 'planted_accounts'),
    key: patternOf(ontology, 'planted_keys', 'literal'),
    key_apart: patternOf(ontology, 'planted_keys', 'apart'),
    stolen: patternOf(ontology, 'stolen_files', 'named'),
    opens: patternOf(ontology, 'stolen_files', 'reads'),
    sends: patternOf(ontology, 'stolen_files', 'sends'),
    calls: logged('calls'),
    names: logged('names'),
    whole: logged('whole'),
    sent: logged('sent'),
    token: logged('token'),
    parsing: logged('parsing'),
    carries: logged('carries'),
    masked: logged('masked'),
    index_files: source('index_files'),
    pinned_files: source('pinned_files'),
    index: source('index'),
    pinned: source('pinned'),
    address: source('address'),
    image: source('image'),
    checksum: source('checksum'),
    repository: source('repository'),
    alias: source('alias'),
    alias_files: source('alias_files'),
    patch_heads: source('patch_heads'),
    from_git: source('from_git'),
    action: source('action'),
    images: listOf(ontology, 'image_registries'),
    private_suffixes: listOf(ontology, 'private_suffixes'),
  };
});

/** The statement or line that makes a mighty account; undefined where there is none, or the old text had it. */
export function plantedAccount(text: string, before: string, ontology: Ontology): string | undefined {
  const { accounts } = signsOf(ontology);
  const found = accounts.exec(text)?.[0];
  return found === undefined || before.includes(found) ? undefined : found.slice(0, MAX_STATEMENT);
}

/** Whether the value is the public half of a key for logins, by itself. */
export const isLoginKey = (value: string, ontology: Ontology): boolean =>
  value.length <= LONGEST_KEY && signsOf(ontology).key.exec(value)?.index === 0;

/** Characters of a public key with its comment. */
const LONGEST_KEY = 2_000;

/** What the lines of an edit plant. */
export function plantedLines(edit: Edit, changed: Changed, ontology: Ontology): Planted[] {
  const found: Planted[] = [];
  const source = strangeSource(edit, changed, ontology);
  if (source !== undefined) found.push({ kind: 'source_replaced', line: source });
  return found;
}

/** The line that lets in who has the other half of a key; undefined where there is none. */
export function plantedKey({ path }: Edit, { added }: Changed, ontology: Ontology): string | undefined {
  const { key, key_apart } = signsOf(ontology);
  return key_apart.test(path) ? undefined : added.find((line) => key.test(line));
}

/** The line of code that opens a file of credentials, where the same edit talks to a host outside; undefined where there is none. */
export function stolenFile({ before }: Edit, { added }: Changed, ontology: Ontology): string | undefined {
  const { stolen, opens, sends } = signsOf(ontology);
  if (stolen.test(before)) return undefined;
  const text = added.join('\n').slice(0, MAX_ADDED);
  return opens.test(text) && sends.test(text) ? added.find((line) => stolen.test(line)) : undefined;
}

/** A line that writes a secret where others read it. */
export function loggedSecret(
  { path, before, after }: Edit,
  { added }: Changed,
  ontology: Ontology,
): string | undefined {
  const { calls, names, token, parsing, whole, sent, carries, masked } = signsOf(ontology);
  const isParsing = parsing.test(`${path}\n${before}\n${after}`);
  const isSecret = (said: string): boolean =>
    whole.test(said) ||
    (!masked.test(said) &&
      (names.test(said) || (!isParsing && token.test(said)) || (sent.test(said) && carries.test(before + after))));
  return added.find((line) => {
    const call = calls.exec(line)?.[0];
    return call !== undefined && isSecret(valuesIn(call));
  });
}

/** A call without the words in its texts; what a text interpolates stays. */
function valuesIn(call: string): string {
  return call.replace(/"([^"\n]{0,400})"|'([^'\n]{0,400})'|`([^`\n]{0,400})`/g, (_, double, single, tick) => {
    const text = String(double ?? single ?? tick ?? '');
    const isKey = /^[\w-]{1,40}$/.test(text);
    const shown = [...text.matchAll(/[$#]?\{([^{}\n]{1,100})\}|\$(\w{1,60})/g)].map(
      ([, braced, plain]) => braced ?? plain,
    );
    return isKey ? `"${text.replaceAll(/\w/g, '_')}"` : ` ${shown.join(' , ')} `;
  });
}

/**
 * A line that from now on fetches packages or a piece of code from a host that is not a well-known one and that the old text did not
 * name. Where one piece comes from counts only where the old text said so, too.
 */
function strangeSource(edit: Edit, { added, gone }: Changed, ontology: Ontology): string | undefined {
  const { index_files, pinned_files, index, pinned, address, image, checksum, repository } = signsOf(ontology);
  const isIndex = index_files.test(edit.path);
  const isPinned = pinned_files.test(edit.path);
  if (!isIndex && !isPinned) return standsForAnother(edit.path, added, ontology);
  const hostIn = (line: string): string => (image.exec(line)?.[1] ?? address.exec(line)?.[1] ?? '').toLowerCase();
  const isStrange = (line: string): boolean => {
    const host = hostIn(line);
    return host !== '' && !edit.before.toLowerCase().includes(host) && !isKnown(host, isPinned, ontology);
  };
  const strange = isIndex ? added.find((line) => index.test(line) && isStrange(line)) : undefined;
  const other = strange ?? standsForAnother(edit.path, added, ontology);
  if (other !== undefined) return other;
  if (!isPinned || !gone.some((line) => pinned.test(line) || index.test(line) || checksum.test(line))) return undefined;
  // A fork of a well-known host takes the place of a package from a registry.
  const wasRegistry = gone.some((line) => isBelow(hostIn(line), sourceWords(ontology).known));
  return added.find(
    (line) => pinned.test(line) && (isStrange(line) || (wasRegistry && repository.test(line) && hostIn(line) !== '')),
  );
}

/** A host, named among the words of a command that changes a file of packages in place, that is not a well-known one; '' if there is none. */
export function strangeHostIn(words: readonly string[], ontology: Ontology): string {
  const { index_files, pinned_files, address } = signsOf(ontology);
  if (!words.some((word) => index_files.test(word) || pinned_files.test(word))) return '';
  const all = new RegExp(address.source, 'gi');
  for (const word of words)
    for (const [, host = ''] of word.slice(0, MAX_STATEMENT).matchAll(all))
      if (host !== '' && !isKnown(host.toLowerCase(), true, ontology)) return host.toLowerCase();
  return '';
}

/** A line by which a package of another owner, of another name or of a repository stands for one: `replace a/x => b/x`, `"x": "npm:y@1"`. */
function standsForAnother(path: string, added: readonly string[], ontology: Ontology): string | undefined {
  const { alias, alias_files, patch_heads, from_git } = signsOf(ontology);
  if (!alias_files.test(path)) return undefined;
  const isPatched = added.some((line) => patch_heads.test(line));
  return added.find((line) => {
    if (isPatched && from_git.test(line)) return true;
    const [, module = '', other = '', name = '', by = ''] = alias.exec(line) ?? [];
    if (name !== '') return name !== by;
    return module !== '' && !other.startsWith('.') && ownerOf(module) !== ownerOf(other);
  });
}

/** `github.com/owner` of `github.com/owner/name`. */
const ownerOf = (module: string): string => module.toLowerCase().split('/').slice(0, 2).join('/');

function isKnown(host: string, isImage: boolean, ontology: Ontology): boolean {
  const { images, private_suffixes } = signsOf(ontology);
  const { known, installers } = sourceWords(ontology);
  return (
    isLoopback(host) ||
    isBelow(host, known) ||
    isBelow(host, installers) ||
    isBelow(host, private_suffixes) ||
    (isImage && isBelow(host, images))
  );
}
