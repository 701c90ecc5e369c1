/** Code at which the grammar of the shell ends is read on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectsOf, worldOf } from '../../../test/support/effects.ts';

const DELETES = 'rm -rf /srv/data';

test('what follows a sign that is not expected is read', () => {
  for (const before of [';', '; ;', '&&', '|', '||', 'ls; ;', 'echo (all of it) &&', 'echo a) ;', 'echo x=(1) y (2);'])
    assert.ok(effectsOf(`${before} ${DELETES}`, 'shell').includes('deletes many'), before);
});

test('the text keeps its brackets, and a program in them is run as fish would', () => {
  const world = worldOf('echo carla ALL=(ALL) NOPASSWD:ALL > /tmp/x', 'shell');
  assert.equal(world.files.get('/tmp/x')?.text.trim(), 'carla ALL=(ALL) NOPASSWD:ALL');
  assert.ok(effectsOf(`echo (${DELETES})`, 'shell').includes('deletes many'));
  assert.ok(!effectsOf('echo done (all files)', 'shell').some((one) => one.startsWith('deletes')));
});

test('lines behind more signs than are mended are read', () => {
  for (const before of ['; '.repeat(40), 'echo a) b\n'.repeat(40), 'then\n', 'fi\nls\n'])
    assert.ok(effectsOf(`${before}${DELETES}`, 'shell').includes('deletes many'), before);
});

test('no text of signs stops the reader', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('(', ')', ';', '&', '|', '&&', ';;', 'ls', ' ', '\n', '"', '$'), { maxLength: 60 }),
      (parts) => {
        worldOf(parts.join(''), 'shell');
      },
    ),
    { numRuns: 200 },
  );
});
