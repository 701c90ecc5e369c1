import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { knowledge } from '../../../test/support/knowledge.ts';
import type { Justification } from '../justify.ts';
import { createGrounding, groundsOf } from './grounds.ts';

const justification = {
  violations: ['backup_is_destroyed', 'a_rule_of_mine'],
  violation_details: [
    {
      violation: 'backup_is_destroyed',
      framework: 'GDPR',
      article: 'Article_32: Security of processing',
      explanation: 'Backups restore availability.',
      consequence: 'Fines up to 2 %.',
    },
  ],
  compliance_context: { controls: [{ control_id: 'BK-7', name: 'Backups', description: 'Two people delete.' }] },
} as unknown as Justification;

describe('grounds of a justification', () => {
  const grounds = groundsOf(justification);
  const { accept } = createGrounding(grounds, JSON.stringify(grounds), knowledge.ontology);

  test('are its rules, articles and controls', () => {
    assert.deepEqual(grounds.map(({ id }) => id).sort(), [
      'GDPR:Article_32',
      'control:BK-7',
      'rule:a_rule_of_mine',
      'rule:backup_is_destroyed',
    ]);
  });

  const RULE = 'rule:backup_is_destroyed';
  test('a sentence that rests on them is accepted, clean', () => {
    const text = 'Deleting the **backups** [breaks](https://x.example) GDPR Article 32; see control 7.';
    assert.deepEqual(accept(text, [RULE, 'GDPR:Article_32', RULE]), {
      text: 'Deleting the backups breaks GDPR Article 32; see control 7.',
      cites: [RULE, 'GDPR:Article_32'],
    });
  });

  for (const [what, text, cites] of [
    ['without an id', 'Backups are gone.', []],
    ['with an invented id', 'Backups are gone.', [RULE, 'GDPR:Article_99']],
    ['with an id that is no text', 'Backups are gone.', [7]],
    ['that names an article that was not handed over', 'This breaks GDPR Article 33.', ['GDPR:Article_32']],
    ['that names a framework that it does not cite', 'This breaks GDPR Article 32.', [RULE]],
    ['that names another framework', 'This breaks PCI-DSS too.', ['GDPR:Article_32']],
    ['with an amount that was not handed over', 'The fine is 20 million.', ['GDPR:Article_32']],
    ['without words', '[link](https://x.example)'.replace('link', ''), [RULE]],
  ] as const)
    test(`a sentence ${what} is dropped`, () => assert.equal(accept(text, cites), null));
});
