/** Calls of cloud platforms in code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { cloudCallsIn } from './sdk-calls.ts';

const ontology = loadOntology();
const deeds = (code: string): string[] => cloudCallsIn(code, ontology).map(({ deed, grade }) => `${deed} ${grade}`);

test('clients of the platforms in their languages', () => {
  assert.deepEqual(
    deeds("import boto3\niam = boto3.client('iam')\niam.create_access_key(UserName='deploy')\nprint(iam.list_users())"),
    ['mints_credential 3'],
  );
  assert.deepEqual(
    deeds("import boto3\nboto3.client('ec2').authorize_security_group_ingress(GroupId='sg-1', CidrIp='0.0.0.0/0')"),
    ['opens_network 3'],
  );
  assert.deepEqual(
    deeds(
      "const { CloudTrailClient, StopLoggingCommand } = require('@aws-sdk/client-cloudtrail');\nawait new CloudTrailClient({}).send(new StopLoggingCommand({ Name: 'main' }));",
    ),
    ['stops_logging 3'],
  );
  assert.deepEqual(
    deeds(
      "from googleapiclient.discovery import build\nbuild('iam', 'v1').projects().serviceAccounts().keys().create(name=n).execute()",
    ),
    ['mints_credential 3'],
  );
});

test('code without a client, and everyday calls', () => {
  assert.deepEqual(deeds('store.create_access_key()'), []);
  assert.deepEqual(
    deeds("import boto3\ns3 = boto3.client('s3')\ns3.put_object(Bucket='b', Key='k', Body=data)\ns3.list_buckets()"),
    [],
  );
});
