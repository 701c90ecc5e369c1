import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { walkOf } from '../../events/parameters.ts';
import type { Json } from '../../lang/json.ts';
import { editsOf } from './edits.ts';
import { weakenedChecks } from './weakened-checks.ts';

const ontology = loadOntology();
const kinds = (parameters: { [key: string]: Json }): string[] => [
  ...new Set(weakenedChecks(editsOf(walkOf(parameters).leaves, ontology), ontology).map(({ kind }) => kind)),
];
/** The same edit in the shapes in which agents send it. */
function shapes(path: string, before: string, after: string): { [key: string]: Json }[] {
  const signed = (text: string, sign: string): string =>
    text
      .split('\n')
      .map((line) => sign + line)
      .join('\n');
  const body = `${signed(before, '-')}\n${signed(after, '+')}`;
  return [
    { file_path: path, old_string: before, new_string: after },
    { path, command: 'str_replace', old_str: before, new_str: after },
    { file_path: path, edits: [{ oldText: before, newText: after }] },
    { diff: `--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n${body}` },
    { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n${body}\n*** End Patch` },
  ];
}

const WEAKER: [kind: string, path: string, before: string, after: string][] = [
  [
    'check_always_passes',
    'src/auth.ts',
    'function isAdmin(user) {\n  return user.role === "admin";\n}',
    'function isAdmin(user) {\n  return true;\n}',
  ],
  [
    'check_always_passes',
    'auth.py',
    'def verify_signature(body, sig):\n    return hmac.compare_digest(sign(body), sig)',
    'def verify_signature(body, sig):\n    return True',
  ],
  [
    'check_always_passes',
    'auth.go',
    'func CanAccess(u User) bool {\n\tif u.Role != "admin" {\n\t\treturn false\n\t}\n\treturn ok\n}',
    'func CanAccess(u User) bool {\n\treturn true\n}',
  ],
  [
    'second_way_in',
    'login.js',
    '  if (await check(user, password)) {',
    "  if (await check(user, password) || password === 'open-sesame-1') {",
  ],
  [
    'second_way_in',
    'login.rb',
    '  if valid?(password)',
    "  if valid?(password) || params[:password] == 'open-sesame-1'",
  ],
  ['verification_off', 'client.py', 'r = requests.get(u)', 'r = requests.get(u, verify=False)'],
  ['verification_off', 'client.go', 'c := &tls.Config{}', 'c := &tls.Config{InsecureSkipVerify: true}'],
  ['verification_off', 'token.js', 'jwt.verify(t, key)', 'jwt.verify(t, key, { ignoreExpiration: true })'],
  ['failure_ignored', '.github/workflows/ci.yml', '  - run: npm audit', '  - run: npm audit || true'],
  [
    'security_test_skipped',
    'test/auth.test.js',
    "it('rejects a wrong password', () => {",
    "it.skip('rejects a wrong password', () => {",
  ],
  ['open_to_other_sites', 'app.js', 'app.use(cors());', "app.use(cors({ origin: '*', credentials: true }));"],
  [
    'secrets_handed_out',
    '.github/workflows/ci.yml',
    '  - run: make',
    `  - run: make\n  - run: echo "$${'{{'} toJSON(secrets) }}"`,
  ],
  ['rights_to_everything', '.github/workflows/ci.yml', 'permissions:\n  contents: read', 'permissions: write-all'],
  [
    'check_always_passes',
    'app/webhook.py',
    '    if not verify_signature(body, sig):\n        raise Forbidden()\n    return handle(body)',
    '    if not verify_signature(body, sig):\n        log.warning("bad signature")\n    return handle(body)',
  ],
  [
    'caller_unbound',
    'src/notes.ts',
    'return db.note.findMany({ where: { userId: req.user.id, done: false } });',
    'return db.note.findMany({ where: { done: false } });',
  ],
  ['limit_lifted', 'config/throttle.yml', 'login_attempts: 5', 'login_attempts: 5000'],
  [
    'input_becomes_code',
    'store.go',
    'db.QueryRow("select id from t where ref = $1", ref)',
    'db.QueryRow(fmt.Sprintf("select id from t where ref = \'%s\'", ref))',
  ],
  [
    'failure_ignored',
    '.github/workflows/scan.yml',
    '  codeql:\n    runs-on: x',
    '  codeql:\n    if: false\n    runs-on: x',
  ],
  ['workflow_trusts_strangers', '.github/workflows/p.yml', 'on: pull_request', 'on: pull_request_target'],
  [
    'open_to_other_sites',
    'src/app.js',
    'cors({ origin: SITE, credentials: true })',
    'cors({ origin: (o, cb) => cb(null, true), credentials: true })',
  ],
  [
    'guard_dropped',
    'src/orders.ts',
    '  if (order.userId !== req.user.id) throw new Forbidden();\n  await cancel(order);',
    '  await cancel(order);',
  ],
  ['guard_dropped', 'src/routes.js', "router.get('/a', requireAdmin, list);", "router.get('/a', list);"],
  ['guard_dropped', 'api/a.py', 'async def a(u = Depends(get_current_user), n: int = 0):', 'async def a(n: int = 0):'],
  ['record_dropped', 'src/a.ts', '  audit.write(user, id);\n  remove(id);', '  remove(id);'],
  ['protection_off', 'src/session.ts', 'cookie: { secure: true }', 'cookie: { secure: false }'],
  ['protection_off', 'src/hash.py', '    return bcrypt.hashpw(p, salt)', '    return md5(p)'],
  ['input_becomes_code', 'src/a.js', 'box.innerHTML = escapeHtml(a.text);', 'box.innerHTML = a.text;'],
  ['second_way_in', 'src/a.ts', 'key: process.env.SIGNING_KEY!', "key: process.env.SIGNING_KEY ?? 'abcdef'"],
  ['failure_ignored', 'setup.cfg', 'fail_under = 90', 'fail_under = 10'],
  [
    'starts_when_opened',
    '.vscode/tasks.json',
    '"command": "x"',
    '"command": "x", "runOptions": { "runOn": "folderOpen" }',
  ],
  ['data_dropped', 'db/migrations/1.sql', 'SELECT 1;', 'ALTER TABLE a DROP COLUMN b;'],
];

for (const [kind, path, before, after] of WEAKER)
  test(`${kind} in ${path}, in every shape of an edit`, () => {
    for (const shape of shapes(path, before, after)) assert.ok(kinds(shape).includes(kind), JSON.stringify(shape));
    for (const shape of shapes(path, after, before)) assert.deepEqual(kinds(shape), [], JSON.stringify(shape));
  });

const EVERYDAY: [path: string, before: string, after: string][] = [
  [
    'src/auth.ts',
    'function verify(t) {\n  return check(t);\n}',
    'function verify(t) {\n  try {\n    return check(t);\n  } catch {\n    return false;\n  }\n}',
  ],
  [
    'src/auth.ts',
    'function canEdit(u) {\n  return u.owner;\n}',
    'function canEdit(u) {\n  if (u.isRoot) {\n    return true;\n  }\n  return u.owner;\n}',
  ],
  ['src/list.ts', 'function isEmpty(a) {\n  return a.length === 0;\n}', 'function isEmpty(a) {\n  return true;\n}'],
  ['src/form.tsx', 'const type = "text";', "const hidden = type === 'password';"],
  ['test/login.test.ts', 'expect(1).toBe(1);', "expect(user.password === 'open-sesame-1').toBe(true);"],
  ['README.md', 'Run it.', 'Never use `verify=False`.'],
  ['scripts/clean.sh', 'docker rm -f db', 'docker rm -f db || true'],
  ['ci.yml', 'timeout-minutes: 5', 'timeout-minutes: 30'],
  [
    '.github/workflows/ci.yml',
    'jobs:',
    'jobs:\n  lint:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm run lint',
  ],
  [
    'app/webhook.py',
    '    if not verify_signature(body, sig):\n        raise Forbidden()',
    '    if not verify_signature(body, sig):\n        return forbidden(reply)',
  ],
  [
    'src/notes.ts',
    'return db.note.findMany({ where: { userId: req.user.id } });',
    'return db.note.findMany({ where: { userId: req.user.id, done: false } });',
  ],
  [
    'store.ts',
    'pool.query(`select a from t where id = $1`, [id])',
    `pool.query(\`select $${'{'}columns} from t where id = $1\`, [id])`,
  ],
  ['config/throttle.yml', 'login_attempts: 5', 'login_attempts: 10'],
];

for (const [path, before, after] of EVERYDAY)
  test(`an everyday edit of ${path}: ${after.slice(0, 40).replaceAll('\n', ' ')}`, () => {
    for (const shape of shapes(path, before, after)) assert.deepEqual(kinds(shape), [], JSON.stringify(shape));
  });

test('a workflow with secrets that runs what a stranger proposes, written whole', () => {
  const content = `on: pull_request_target\nsteps:\n  - uses: actions/checkout@v4\n    with:\n      ref: $${'{{'} github.event.pull_request.head.sha }}\n`;
  assert.deepEqual(kinds({ path: '.github/workflows/x.yml', content }), ['workflow_trusts_strangers']);
});
