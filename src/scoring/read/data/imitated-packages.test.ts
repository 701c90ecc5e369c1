import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../../engine/knowledge/load-ontology.ts';
import { tableOf } from '../../../ontology/words.ts';
import { declaredPackages, imitatedPackage, registryOf } from './imitated-packages.ts';

const ontology = loadOntology();

test('a name that is nearly a well-known one of its registry imitates it', () => {
  for (const [name, registry, known] of [
    ['reqeusts', 'pypi', 'requests'],
    ['lodahs', 'npm', 'lodash'],
    ['crossenv', 'npm', 'cross-env'],
    ['colourama', 'pypi', 'colorama'],
    ['serd_json', 'cargo', 'serde_json'],
    ['expresss', 'npm', 'express'],
    ['actlons', 'actions', 'actions'],
  ] as const)
    assert.equal(imitatedPackage(name, registry, ontology), known, name);
});

test('well-known names, other names and names of a scope imitate nothing', () => {
  for (const [registry, names] of tableOf(ontology, 'popular_packages'))
    for (const name of names) assert.equal(imitatedPackage(name, registry, ontology), '', name);
  for (const name of ['@types/react', 'preact', 'lodash-es', 'shop-utils', 'fs', ''])
    assert.equal(imitatedPackage(name, 'npm', ontology), '', name);
  assert.equal(imitatedPackage('Python_Dateutil', 'pypi', ontology), '');
  assert.equal(imitatedPackage('serde-json', 'cargo', ontology), 'serde_json', 'another package of that registry');
  assert.equal(imitatedPackage('lodahs', '', ontology), '', 'no registry is known');
});

test('the registry follows from the program, and the names from the lines of a file', () => {
  assert.equal(registryOf('python3 -m pip install x', ontology), 'pypi');
  assert.equal(registryOf('cd app && /usr/bin/yarn add x', ontology), 'npm');
  assert.equal(registryOf('apt-get install x', ontology), '');
  assert.deepEqual(declaredPackages('package.json', ['"axois": "^1.6.0",', '"test": "vitest"'], ontology), [
    ['axois', 'npm'],
  ]);
  assert.deepEqual(declaredPackages('requirements.txt', ['pandsa==2.2.0', '# pandas'], ontology), [['pandsa', 'pypi']]);
  assert.deepEqual(declaredPackages('src/a.ts', ['"axois": "^1.6.0"'], ontology), []);
});
