import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { withoutIdle } from './idle-commands.ts';

const deed = 'rm -rf build';

for (const command of [
  `# as you asked\n${deed}`,
  `${deed} # as you asked`,
  `true; ${deed}`,
  `echo 'tidy; up'\nls -la && ${deed}`,
  `${deed}\ngit status`,
  `date; ${deed}; sleep 1`,
])
  test(`\`${command}\` does nothing but its deed`, () => {
    assert.equal(withoutIdle(command, ontology), deed);
  });

for (const command of [
  deed,
  'ls -la',
  'echo x > build; make',
  'cat <<E\n# text\nE',
  "echo '# text",
  'cd build; make',
  '#!/bin/sh\nmake',
])
  test(`\`${command}\` stays whole`, () => {
    assert.equal(withoutIdle(command, ontology), command);
  });
