/** Requests to the interface of a platform are told like calls of its operations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { interpret } from '../languages.ts';
import { World } from '../world.ts';
import { noteCloudRequest } from './cloud-requests.ts';

const ontology = loadOntology();

function read(method: string, url: string, body: object = {}): string {
  const world = new World(ontology, interpret);
  noteCloudRequest(world, method, url, JSON.stringify({ url, body }));
  const [call] = world.cloud;
  return call === undefined ? (world.unread_request === '' ? '' : 'unread') : `${call.deed} ${call.grade}`;
}

test('path, host or query name the operation, else the way of the request does', () => {
  for (const [method, url, expected] of [
    ['POST', '/iam/users/carla/access-keys/create', 'mints_credential 3'],
    ['POST', '/api/v1/iam/users/carla/access-keys', 'mints_credential 3'],
    ['POST', 'https://iam.amazonaws.com/?Action=CreateAccessKey&UserName=carla', 'mints_credential 3'],
    ['POST', 'https://iam.googleapis.com/v1/projects/p/serviceAccounts/x/keys', 'mints_credential 3'],
    ['PUT', '/kms/keys/main/schedule-deletion', 'destroys_key 3'],
    ['DELETE', 'https://guardduty.eu-west-1.amazonaws.com/detector/77aa', 'weakens_guard 3'],
    ['DELETE', '/rds/snapshots/nightly', 'destroys_copies 3'],
  ] as const)
    assert.equal(read(method, url), expected, `${method} ${url}`);
});

test('parameters say how grave it is, and the words of the path are none', () => {
  assert.equal(
    read('POST', '/iam/roles/x/attach-policy', { arn: 'arn:aws:iam::aws:policy/AdministratorAccess' }),
    'grants_rights 3',
  );
  assert.equal(
    read('POST', '/iam/roles/x/attach-policy', { arn: 'arn:aws:iam::aws:policy/ReadOnly' }),
    'grants_rights 2',
  );
  assert.equal(read('POST', '/s3/buckets/data/copy', { destination_account: '111122223333' }), 'shares_copy 3');
});

test('a change of which nothing is known is unread, a look is not', () => {
  assert.equal(read('PUT', '/ecs/clusters/main/settings-of-things'), 'unread');
  for (const [method, url] of [
    ['GET', 'https://ec2.eu-west-1.amazonaws.com/?Action=DescribeInstances'],
    ['GET', '/s3/buckets/site/objects'],
    ['PUT', 'https://site.s3.amazonaws.com/img/logo.png'],
    ['POST', '/api/v1/orders'],
    ['POST', 'https://shop.example/orders'],
    ['OPTIONS', '/iam/users'],
  ] as const)
    assert.equal(read(method, url), '', `${method} ${url}`);
});
