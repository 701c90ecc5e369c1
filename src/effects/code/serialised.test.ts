/** Objects that code loads from a text of its own: the commands in them run, and the text counts as hidden code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';

const BAD = [
  "import pickle; pickle.loads(b'cos\\nsystem\\n(S\\'rm -rf /home/ana/Documents\\'\\ntR.')",
  'import yaml; yaml.load(\'!!python/object/apply:os.system ["rm -rf /home/ana/Documents"]\', Loader=yaml.Loader)',
];

test('a serialised object with a call in it: its command is read', () => {
  for (const code of BAD) {
    const effects = effectsOf(code, 'python');
    assert.ok(effects.includes('obfuscates one'), `${code}: ${effects}`);
    assert.ok(
      effects.some((effect) => effect.startsWith('deletes ')),
      `${code}: ${effects}`,
    );
  }
});

test('data without calls, and data from files, stay what they were', () => {
  for (const code of [
    "import yaml; yaml.load('a: 1', Loader=yaml.Loader)",
    "import pickle; pickle.load(open('m.pkl', 'rb'))",
  ]) {
    const effects = effectsOf(code, 'python');
    assert.ok(!effects.includes('obfuscates one'), `${code}: ${effects}`);
  }
});
