import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../test/support/readings.ts';
import type { JsonObject } from '../../../lang/json.ts';

const fact = (name: string, parameters: JsonObject, action = 'http:external:post'): unknown =>
  factsOf({ action, parameters }).get(name);

test('a way without encryption or without a check of the other side', () => {
  const way = (parameters: JsonObject): unknown => fact('unprotected_channel', parameters);
  assert.equal(way({ url: 'http://api.partner.example/x' }), 'http');
  assert.equal(way({ url: 'FTP://files.partner.example/x' }), 'ftp');
  assert.equal(way({ url: 'https://api.partner.example/x', verify_ssl: false }), 'verify_ssl');
  assert.equal(way({ host: 'api.partner.example', insecure: 'true' }), 'insecure');
  for (const url of [
    'https://api.partner.example',
    'http://localhost:8080',
    'http://10.0.0.3/x',
    'http://db.internal/',
  ])
    assert.equal(way({ url }), '', url);
});

test('regions outside the EEA', () => {
  const region = (value: string): unknown => fact('region_outside_eea', { target_region: value });
  for (const outside of ['us-east-1', 'ap-south-1', 'US', 'in', 'eastus2']) assert.equal(region(outside), outside);
  for (const inside of ['eu-central-1', 'DE', 'fr', 'CH', 'westeurope', 'EU', 'house'])
    assert.equal(region(inside), '', inside);
  assert.equal(fact('region_outside_eea', { note: 'us-east-1' }), '');
});

test('from production to a place for tests', () => {
  const place = (parameters: JsonObject, action = 'db:customers:copy'): unknown =>
    fact('test_place_for_production', parameters, action);
  assert.equal(place({ source_db: 'prod-main', target_db: 'staging-2' }), 'staging-2');
  assert.equal(place({ destination: 'personal/x.ipynb' }, 'db:prod:export'), 'personal/x.ipynb');
  assert.equal(place({ source_db: 'staging', target_db: 'prod-main' }), '');
  assert.equal(place({ source_db: 'prod-main', target_db: 'prod-test' }), '', 'production wins');
  assert.equal(place({ source_db: 'staging', target_db: 'qa' }), '');
});
