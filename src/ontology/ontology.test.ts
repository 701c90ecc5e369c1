import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, build, problemsOf, smallest } from '../../test/support/smallest-ontology.ts';

test('the smallest ontology is built, with what articles take from their file and their tier', () => {
  const ontology = build(smallest());
  assert.equal(ontology.domains.get('sql'), ontology.domains.get('db'));
  assert.deepEqual(
    ontology.tools.get('query')?.map((tool) => [tool.tool, tool.server_names]),
    [['Query', ['pg']]],
  );
  const law = ontology.articles.get('LAW:1');
  assert.equal(law?.consequence, 'A fine.');
  assert.deepEqual(law?.consequence_basis, ['LAW:1']);
  assert.equal(law?.is_conditional, true);
  assert.deepEqual(ontology.profiles.get('default')?.get('LAW'), {
    binds: 'always',
    condition: '',
    shown_when: '',
    regions: [],
    sectors: [],
  });
  // One of each: group, verb, domain, scope, resource, agent type, tool, class, kind, name, detector, role, marker,
  // framework, article, theme, tier.
  assert.equal(ontology.node_count, 17);
});

test('patterns of detectors are for matchAll, the others keep no position', () => {
  const ontology = build(smallest());
  assert.deepEqual(
    ontology.value_detectors.map((detector) => detector.pattern.flags),
    ['g'],
  );
  assert.deepEqual(
    ontology.injection_markers.map((marker) => marker.pattern.flags),
    ['i'],
  );
  assert.deepEqual(
    [...ontology.patterns.get('test_values')!.values()].map((pattern) => pattern.flags),
    [''],
  );
});

test('all problems are listed at once', () => {
  const documents = smallest();
  at(documents, 'actions/verbs.yaml', 'verbs 0')['base_risk'] = 101;
  at(documents, 'data/classes.yaml', 'classes 0')['severity'] = 'high';
  assert.deepEqual(problemsOf(documents), [
    'data/classes.yaml: `PII`: `severity` is `"high"`; write a whole number from 0 to 4',
    'actions/verbs.yaml: `read`: `base_risk` is `101`; write a whole number from 0 to 100',
  ]);
});
