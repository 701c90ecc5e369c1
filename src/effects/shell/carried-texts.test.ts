/** What a command line runs, and what it only carries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../../test/support/knowledge.ts';
import { withoutCarriedTexts, withoutWrittenFiles } from './carried-texts.ts';

const run = (...lines: string[]): string => withoutCarriedTexts(lines.join('\n'), knowledge.ontology);

test('a file that is written down is left out, and what follows it stays', () => {
  const lines = ["cat > a.md <<'EOF'", 'start the server', 'EOF', 'git add a.md'];
  assert.equal(run(...lines), "cat > a.md <<'EOF'\ngit add a.md");
  assert.equal(withoutWrittenFiles(lines.join('\n')), "cat > a.md <<'EOF'\ngit add a.md");
});

test('code of another language and the message of a commit are left out', () => {
  assert.equal(run('python3 - <<PY', 'start = 1', 'PY', 'ls'), 'python3 - <<PY\nls');
  assert.equal(run('git commit -m "Portal', '', 'start again" && git push', 'ls'), 'git commit -m \n && git push\nls');
  assert.equal(run("node -e '", 'start()', "'", 'ls'), 'node -e \n\nls');
});

test('what a shell is handed stays, also on another machine and in a container', () => {
  for (const lines of [
    ["bash -c '", 'systemctl start billing', "'"],
    ['ssh db1 <<EOF', 'systemctl start billing', 'EOF'],
    ['docker exec -i web sh <<EOF', 'systemctl start billing', 'EOF'],
    ['sudo bash <<EOF', 'systemctl start billing', 'EOF'],
  ])
    assert.equal(run(...lines, 'systemctl stop x').replaceAll(/\n+/g, '\n'), [...lines, 'systemctl stop x'].join('\n'));
});

test('quotation marks that a line closes, or that are escaped, open nothing', () => {
  const lines = ['echo "it\'s" \\" x', 'systemctl start billing'];
  assert.equal(run(...lines), lines.join('\n'));
});
