/** Branches that `git` pushes to, makes, moves or removes, and repositories of a forge. */
import { type Called, NO_WORDS, readLine, type StructureWords } from './words.ts';

const BRANCH = /^(?!-)[\w][\w./-]{0,250}$/;
/** A remote by its name. A push to an address may reach any repository. */
const REMOTE = /^\w[\w.-]{0,100}$/;
const HEADS = 'refs/heads/';

function branchOf(name: string, { symbolic_refs }: StructureWords): string | null {
  const branch = name.startsWith(HEADS) ? name.slice(HEADS.length) : name;
  const isBranch = BRANCH.test(branch) && !branch.startsWith('refs/') && !symbolic_refs.has(branch.toUpperCase());
  return isBranch ? branch : null;
}

function allOf(branches: readonly (string | null)[]): readonly string[] | null {
  return branches.length > 0 && branches.every((one) => one !== null) ? (branches as string[]) : null;
}

function pushed(call: Called, words: StructureWords): readonly string[] | null {
  const line = readLine(call.rest, words.push_switches, words.push_values);
  if (line === null) return null;
  const [remote, ...refs] = line.operands;
  if (remote === undefined || !REMOTE.test(remote)) return null;
  return allOf(refs.map((ref) => branchOf(ref.replace(/^\+/, '').replace(/^[^:]*:/, ''), words)));
}

/** Every branch that a call of git changes; `null` where the line does not name them all, or changes something else. */
export function branchesOf(call: Called, words: StructureWords): readonly string[] | null {
  if (call.program !== 'git') return null;
  switch (call.subcommand) {
    case 'push':
      return pushed(call, words);
    case 'branch': {
      const line = readLine(call.rest, words.branch_switches, NO_WORDS);
      return line === null ? null : allOf(line.operands.map((name) => branchOf(name, words)));
    }
    case 'checkout':
    case 'switch': {
      const line = readLine(call.rest, NO_WORDS, words.new_branch);
      if (line === null || line.operands.length > 0) return null;
      return allOf(line.options.map(([, name]) => branchOf(name, words)));
    }
    default:
      return null;
  }
}

const REPOSITORY = /^(?:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}\/)?[\w.-]{1,100}\/[\w.-]{1,100}$/i;

/** The repositories that a call of a forge's client names; `null` where it takes that of the folder, or names one otherwise. */
export function repositoriesOf(call: Called, words: StructureWords): readonly string[] | null {
  if (!words.forge_clients.has(call.program)) return null;
  if (!words.forge_commands.has(call.subcommand.replace(/ .*/, ''))) return null;
  const found = call.leading.map(([, value]) => value);
  for (let i = 0; i < call.rest.length; i++) {
    const { text, is_known, has_wildcard } = call.rest[i]!;
    // An address among the words names a repository of its own.
    if (!is_known || has_wildcard || /^https?:/i.test(text)) return null;
    const equals = text.indexOf('=');
    const name = text.replace(/^--?/, '').slice(0, equals < 0 ? undefined : equals - (text.startsWith('--') ? 2 : 1));
    if (text.startsWith('-') && words.repository_options.has(name))
      found.push(equals < 0 ? (call.rest[++i]?.text ?? '') : text.slice(equals + 1));
    else if (/^-R./.test(text)) return null;
  }
  return found.length > 0 && found.every((one) => REPOSITORY.test(one)) ? found.map((one) => one.toLowerCase()) : null;
}
