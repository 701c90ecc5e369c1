/** Loops, sweeps and what earlier actions did. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import { readAction } from '../action/action.ts';
import { readContent } from '../action/content/content.ts';
import { cyclesAtEnd, readSessionShape, type SessionShape } from './session-shape.ts';

function shape(action: string, preceding_actions: string[]): SessionShape {
  const event = eventOf({ action, preceding_actions });
  return readSessionShape(event, ontology, readAction(event, ontology, readContent(event, ontology)));
}

test('a cycle of two to four different actions at the end is counted in rounds', () => {
  assert.equal(cyclesAtEnd([]), 0);
  assert.equal(cyclesAtEnd(['a', 'a', 'a']), 0);
  assert.equal(cyclesAtEnd(['x', 'a', 'b', 'a', 'b', 'a', 'b']), 3);
  assert.equal(cyclesAtEnd(['a', 'b', 'c', 'a', 'b', 'c']), 2);
  assert.equal(cyclesAtEnd(['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e']), 1);
});

test('an earlier past never makes fewer rounds', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  fc.assert(
    fc.property(fc.array(name, { maxLength: 20 }), name, (actions, earlier) => {
      assert.ok(cyclesAtEnd([earlier, ...actions]) >= cyclesAtEnd(actions));
    }),
  );
});

test('looks are counted, sensitive places once each', () => {
  const { reads, sensitive_places, read_domains } = shape('web:page:read', [
    'health:record:read',
    'health:record:read',
    'vault:secret:list',
    'web:page:read',
    'email:message:send',
  ]);
  assert.equal(reads, 4);
  assert.equal(sensitive_places, 2);
  assert.deepEqual(read_domains, ['health', 'vault', 'web']);
});

test('delegations, approvals and exposure are seen, and their absence too', () => {
  assert.equal(shape('a:b:c', ['agent:task:delegate_task', 'agent:subagent:spawn']).delegations, 2);
  assert.ok(shape('a:b:c', ['iam:request:approve']).has_approved);
  assert.ok(shape('a:b:c', ['storage:bucket:make_public']).has_exposed);
  const quiet = shape('a:b:c', ['storage:bucket:read', 'iam:request:create']);
  assert.deepEqual([quiet.delegations, quiet.has_approved, quiet.has_exposed], [0, false, false]);
});
