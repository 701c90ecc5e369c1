/** Commands in the documents run for anyone who has npm alone. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'clients/*/*.md', 'examples/**/*.md', 'ontology/*.md'], {
  cwd: root,
}).map((name) => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}));

test('TypeScript is run on the Node of the packages: the one of the machine may be too old for it', () => {
  for (const { name, text } of pages) {
    const by_another = text.match(/(?<!npx )\bnode (?:--\S+ )*[\w./-]+\.ts\b/g);
    assert.equal(by_another, null, name);
    for (const [, file] of text.matchAll(/\bnpx node (?:--\S+ )*([\w./-]+\.ts)\b/g))
      assert.ok(existsSync(join(root, file!)), `${name}: ${file}`);
  }
});

test('every script of npm that is named is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  for (const { name, text } of pages)
    for (const [, script] of text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g))
      assert.ok(Object.hasOwn(scripts, script!), `${name}: ${script}`);
});

test('a command about a held event names the customer, which it needs', () => {
  for (const { name, text } of pages)
    for (const [command] of text.matchAll(/`weir holds (?:show|approve|reject) [^`]+`/g))
      assert.match(command, / --customer \S/, `${name}: ${command}`);
});

test('a curl line for the auth service carries a credential: every endpoint that it shows asks for one', () => {
  let seen = 0;
  for (const { name, text } of pages)
    for (const [command] of text.matchAll(/\bcurl (?:[^\n`]*\\\n)*[^\n`]*/g)) {
      if (!/\$AUTH\/|:8001\/|\{auth_url\}\//.test(command)) continue;
      seen += 1;
      assert.match(command, /x-api-key|authorization: Bearer|-[bc] jar|x-csrf-token/i, `${name}: ${command}`);
    }
  assert.ok(seen >= 3, `${seen} lines were read`);
});
