/** Version control, packages, builds and publishing. */

import { FROM, HOLE } from '../data.ts';
import { deletePath, fetchFrom, runFile, runText, sendTo, writeFile } from '../deeds.ts';
import { hostOf, isUrl } from '../hosts.ts';
import { noteSourceSetting } from '../package-sources.ts';
import {
  type Call,
  type Field,
  field,
  isDryRun,
  type Program,
  type ProgramTable,
  programTable,
  readOptions,
  wordsOf,
} from '../shell/call.ts';
import { noteDestruction } from './unlisted.ts';

const NOTHING = { text: HOLE, taint: 0 };

const git: Program = (c) => {
  const options = readOptions(c.args, 'C c git-dir work-tree', true);
  for (const v of options.values('c')) noteGitConfig(c, v.text);
  const [verb, ...rest] = options.operands;
  if (verb === undefined) return NOTHING;
  const text = rest.map((r) => r.text).join(' ');
  const branch = rest.filter((r) => !r.text.startsWith('-')).map((r) => r.text);
  if (/--no-verify\b/.test(text) || (verb.text === 'commit' && /(?:^|\s)-\w*n/.test(text)))
    c.world.add('bypasses_checks', 'one', 'git hooks', c.excerpt);
  switch (verb.text) {
    case 'push':
      return push(c, text, rest);
    case 'reset':
      if (/--hard/.test(text)) c.world.add('rewrites_history', 'one', branch[0] ?? 'HEAD', c.excerpt);
      return undefined;
    case 'clean': {
      const flags = text.replace(/[^a-zA-Z -]/g, '');
      if (/-\w*n|--dry-run/.test(flags) || !/-\w*f|--force/.test(flags)) return undefined;
      c.world.add('deletes', 'many', branch[0] ?? 'untracked files', c.excerpt);
      return undefined;
    }
    case 'checkout':
    case 'restore':
    case 'switch':
      if (/(?:^|\s)(?:--\s+)?\.(?:\s|$)|--force|\s-f\b/.test(` ${text}`))
        c.world.add('writes', 'many', 'working tree', c.excerpt);
      return undefined;
    case 'branch':
    case 'tag':
    case 'stash':
    case 'worktree':
      if (/(?:^|\s)(?:-[dD]\b|--delete|drop|clear|remove)/.test(text))
        c.world.add('deletes', /clear/.test(text) ? 'many' : 'one', branch.at(-1) ?? verb.text, c.excerpt);
      return undefined;
    case 'filter-branch':
    case 'filter-repo':
      c.world.add('rewrites_history', 'everything', 'repository', c.excerpt);
      return undefined;
    case 'reflog':
    case 'gc':
    case 'prune':
      if (/expire|--prune=now|delete/.test(text) || verb.text === 'prune')
        c.world.add('destroys_recovery', 'many', 'reflog', c.excerpt);
      return undefined;
    case 'config':
      noteGitConfig(c, branch.join('='));
      return NOTHING;
    case 'clone':
    case 'fetch':
    case 'pull': {
      const url = branch.find((b) => hostOf(b) !== '');
      if (url !== undefined) fetchFrom(c.world, url, c.excerpt);
      return NOTHING;
    }
    case 'bisect':
      if (branch[0] === 'run') c.invoke(rest.slice(1), null);
      return undefined;
    case 'rebase':
    case 'submodule': {
      const code = readOptions(rest, 'x exec');
      const each = verb.text === 'submodule' && branch[0] === 'foreach' ? rest.slice(1).map((r) => r.text) : [];
      for (const line of [...code.values('x', 'exec').map((v) => v.text), each.join(' ')]) c.world.run('shell', line);
      return NOTHING;
    }
    case 'remote':
      for (const b of branch) c.world.noteHost(hostOf(b));
      return NOTHING;
    case 'rm':
      for (const b of branch) deletePath(c.world, b, c.excerpt, /-\w*r/.test(text));
      return undefined;
    default:
      return NOTHING;
  }
};

/** Branches that others build on or that are rolled out by themselves; any other is somebody's work in progress. */
const SHARED_BRANCH =
  /^(?:main|master|trunk|default|head|dev(?:elop(?:ment)?)?|prod(?:uction)?|live|stable|staging|next|pages|gh-pages|(?:releases?|deploy(?:ment)?|hotfix|support|env)(?:[/_.-].*)?|v?\d[\w.-]*|refs\/(?!heads\/).*)$/i;

function isSharedBranch(refspec: string): boolean {
  const to = refspec.replace(/^\+/, '').split(':').at(-1)!;
  return /[*\uf8ff]|^$/.test(to) || SHARED_BRANCH.test(to.replace(/^refs\/heads\//, ''));
}

function push(c: Call, text: string, rest: readonly Field[]): undefined {
  const [to, ...refspecs] = readOptions(rest, 'o push-option repo receive-pack exec').operands.map((o) => o.text);
  const remote = to ?? 'origin';
  const last = refspecs.at(-1) ?? remote;
  if (isDryRun(rest)) return undefined;
  const host = hostOf(remote);
  if (host !== '') sendTo(c.world, host, { text: HOLE, taint: FROM.listing }, c.excerpt, 'many');
  const isOwn = refspecs.length > 0 && !refspecs.some(isSharedBranch) && !/--(?:mirror|all|tags|prune)\b/.test(text);
  if (/(?:^|\s)(?:-f|--force(?:-with-lease)?|--mirror)\b|\s\+\w/.test(` ${text}`))
    c.world.add(
      'rewrites_history',
      /--mirror/.test(text) ? 'everything' : isOwn ? 'one' : 'many',
      isOwn ? last : remote,
      c.excerpt,
    );
  if (/--delete|\s:\w/.test(text) || refspecs.some((b) => b.startsWith(':')))
    c.world.add('deletes', 'one', last, c.excerpt);
  if (isOwn) c.world.add('writes', 'one', last, c.excerpt);
  else c.world.add('deploys', 'one', remote, c.excerpt);
  return undefined;
}

function noteGitConfig(c: Call, text: string): void {
  if (
    /^(?:core\.(?:hookspath|fsmonitor|sshcommand|editor|pager)|init\.templatedir)=/i.test(text) ||
    /^alias\.\w+=!/.test(text)
  )
    c.world.add('persists', 'one', text, c.excerpt);
  if (/sslverify=(?:false|0)/i.test(text)) c.world.add('bypasses_checks', 'one', 'TLS verification', c.excerpt);
}

/** pip, npm, apt and the like: the verb decides, then whether the package comes from outside the registry. */
const packages =
  (install: RegExp, remove: RegExp): Program =>
  (c) => {
    const options = readOptions(
      c.args,
      'r i c t e f index-url extra-index-url requirement target prefix find-links registry constraint proxy',
    );
    const [verb, ...names] = options.operands.map((o) => o.text);
    if (verb === undefined) return NOTHING;
    noteSourceSetting(c.world, wordsOf(c), c.excerpt);
    const isSelfInstall = verb === '' || (names.length === 0 && /^(?:i|ci|install|sync)$/.test(verb));
    if (install.test(verb)) {
      c.world.add('installs', isSelfInstall ? 'scratch' : 'one', names.join(' ') || 'declared packages', c.excerpt);
      const source = [...names, options.value('index-url', 'i', 'extra-index-url', 'registry')].find(
        (n) => isUrl(n.replace(/^(?:git|hg)\+/, '')) || /^(?:git\+|github:)/.test(n),
      );
      if (source !== undefined) {
        const host = hostOf(source.replace(/^\w+\+/, ''));
        c.world.noteHost(host);
        c.world.add('downloads_and_runs', 'one', host === '' ? source : host, c.excerpt);
      }
      if (options.has('trusted-host', 'allow-unauthenticated', 'no-gpg-check', 'nogpgcheck', 'force-yes'))
        c.world.add('bypasses_checks', 'one', 'package signatures', c.excerpt);
    } else if (remove.test(verb)) {
      c.world.add('deletes', 'one', names.join(' ') || 'packages', c.excerpt);
      if (/audit|syslog|clamav|ufw|fail2ban|apparmor|falco|defend/.test(names.join(' ')))
        c.world.add('tampers_with_guards', 'one', names.join(' '), c.excerpt);
    } else if (/^(?:publish|upload)$/.test(verb)) c.world.add('deploys', 'one', names[0] ?? 'package', c.excerpt);
    else if (/^(?:run|run-script|exec|test|start|build|x|dlx|create|init)$/.test(verb)) {
      c.world.add('runs_code', 'one', `${c.name} ${verb} ${names[0] ?? ''}`.trim(), c.excerpt);
      // `run` of a package manager names one of the project's scripts, of an environment manager a program.
      if (/^(?:exec|x|dlx)$/.test(verb) || (verb === 'run' && /^(?:uv|poetry|pdm|conda|mamba|pipx)$/.test(c.name)))
        runWithin(c, verb);
    }
    return NOTHING;
  };

/** The command behind `verb` and its options: `poetry run rm -rf x`, `npm exec -- rm -rf x`. */
function runWithin(c: Call, verb: string): void {
  const at = c.args.findIndex((a) => a.text === verb);
  const command = readOptions(c.args.slice(at + 1), 'n name p prefix package with c extra', true).operands;
  if (command.length > 0) c.invoke(command, c.stdin);
}

/** `npx thing`, `uvx thing`: fetched when absent, and run. */
const runPackage: Program = (c) => {
  const command = readOptions(c.args, 'p package from with c', true).operands;
  const name = command[0]?.text ?? '';
  if (name === '') return NOTHING;
  const isRemote = isUrl(name) || /^(?:github:|git\+)/.test(name);
  c.world.add('runs_code', 'one', name, c.excerpt);
  c.world.add(isRemote ? 'downloads_and_runs' : 'installs', 'one', name, c.excerpt);
  if (!isRemote) c.invoke(command, c.stdin);
  return NOTHING;
};

const build: Program = (c) => {
  const options = readOptions(c.args, 'f C j file directory p');
  const target = options.operands.map((o) => o.text).join(' ');
  c.world.add('runs_code', 'one', `${c.name} ${target}`.trim(), c.excerpt);
  noteDestruction(c);
  if (/^(?:publish|deploy|release|upload)$/.test(target)) c.world.add('deploys', 'one', target, c.excerpt);
  return NOTHING;
};

/** Checks code, changes nothing outside the project. */
const check: Program = () => NOTHING;

const publish: Program = (c) => {
  const [verb = ''] = wordsOf(c);
  if (/^(?:upload|deploy|publish|promote|push|release|up)$/.test(verb) || /^(?:deploy)/.test(wordsOf(c)[1] ?? ''))
    c.world.add('deploys', 'one', c.name, c.excerpt);
  else if (verb === 'run') runWithin(c, verb);
  else noteDestruction(c);
  return NOTHING;
};

const github: Program = (c) => {
  const text = wordsOf(c).join(' ');
  const options = readOptions(c.args, 'X method f F field raw-field H b body t title R repo d desc');
  if (/^auth token|^secret list/.test(text)) c.world.add('reads_credentials', 'one', 'GitHub token', c.excerpt);
  else if (/^(?:repo|release|gist|run|issue|secret|ssh-key|label|cache|workflow) delete/.test(text))
    c.world.add('deletes', /^repo/.test(text) ? 'everything' : 'one', options.operands.at(-1)?.text ?? '', c.excerpt);
  else if (
    /^(?:gist create|release (?:create|upload)|repo create|issue create|pr create|(?:issue|pr) comment)/.test(text)
  )
    sendTo(c.world, 'github.com', { text: HOLE, taint: c.stdin?.taint ?? 0 }, c.excerpt);
  else if (/^pr merge|^workflow run|^workflow (?:enable|disable)/.test(text))
    c.world.add('deploys', 'one', 'github.com', c.excerpt);
  else if (/^api\b/.test(text)) {
    const method = options.value('X', 'method').toUpperCase();
    if (method === 'DELETE') c.world.add('deletes', 'one', options.operands[1]?.text ?? '', c.excerpt);
    else if (/^(?:POST|PUT|PATCH)$/.test(method) || options.has('f', 'F', 'field'))
      sendTo(c.world, 'api.github.com', NOTHING, c.excerpt);
  }
  if (/--admin\b/.test(text)) c.world.add('bypasses_checks', 'one', 'branch protection', c.excerpt);
  if (/^repo edit.*--visibility public|^(?:api.*collaborators|repo (?:add|set).*collaborator)/.test(text))
    c.world.add('grants', 'one', 'repository', c.excerpt);
  return { text: HOLE, taint: FROM.network };
};

const crack: Program = (c) => {
  const file = c.args.at(-1);
  if (file !== undefined && c.stdin !== null) runText(c.world, 'shell', c.stdin, c.excerpt);
  else if (file !== undefined) runFile(c.world, file.text, null, c.excerpt);
  return undefined;
};

const patch: Program = (c) => {
  writeFile(c.world, readOptions(c.args, 'p i d').operands[0]?.text ?? '.', NOTHING, c.excerpt);
  return undefined;
};

const compile: Program = (c) => {
  const to = readOptions(c.args, 'o I L l D std').value('o');
  if (to !== '') c.world.files.set(c.world.describe(field(to).text).path, NOTHING);
  return undefined;
};

const INSTALL = /^(?:install|i|add|ci|sync|upgrade|get|-S\w*|-i|-U|-Uvh|-ivh|ensurepath|tap|inject|require)$/;
const REMOVE = /^(?:remove|uninstall|rm|purge|autoremove|erase|-R\w*|-r|-e|--purge|un|rmi)$/;

export const TOOL_PROGRAMS: ProgramTable = programTable({
  git,
  'gh glab': github,
  patch,
  'pip pip2 pip3 uv pipx poetry conda mamba pdm npm yarn pnpm bun apt apt-get aptitude dnf yum zypper apk brew pacman yay snap flatpak gem cargo go composer dotnet nuget choco winget scoop rpm dpkg port cpan luarocks':
    packages(INSTALL, REMOVE),
  'npx uvx bunx pnpx': runPackage,
  'make cmake ninja gradle gradlew mvn mvnw ant bazel rake just task java javac invoke tox nox sbt meson': build,
  'pytest py.test mypy ruff black flake8 pylint isort eslint prettier tsc biome jest vitest mocha phpunit rspec shellcheck hadolint yamllint rustc clippy':
    check,
  'twine vercel netlify fly flyctl heroku firebase serverless sls wrangler cap capistrano eb surge railway': publish,
  'gcc g++ cc clang clang++ ld': compile,
  'rundll32 regsvr32 mshta wscript cscript msiexec start': crack,
});
