/** Calls of cloud platforms: one deed however the call is told, and calls that are no deed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { readCloudCall } from './cloud-call.ts';

const ontology = loadOntology();
const read = (service: string, operation: string, parameters: object = {}): string => {
  const call = readCloudCall(operation, service, JSON.stringify(parameters), ontology);
  return call === null ? '' : `${call.deed} ${call.grade}`;
};

test('the same deed in every form in which a call is told', () => {
  for (const [service, operation] of [
    ['iam', 'CreateAccessKey'],
    ['iam.amazonaws.com', 'CreateAccessKey'],
    ['aws', 'aws_iam_create_access_key'],
    ['', 'iam:CreateAccessKey'],
    ['iam', 'create-access-key'],
    ['gcp', 'google.iam.admin.v1.CreateServiceAccountKey'],
    ['iam', 'service-accounts-keys-create'],
    ['entra', 'add_service_principal_credential'],
  ] as const)
    assert.equal(read(service, operation), 'mints_credential 3', `${service} ${operation}`);
});

test('what weakens, exposes, takes and destroys', () => {
  for (const [service, operation, parameters, expected] of [
    ['cloudtrail', 'StopLogging', {}, 'stops_logging 3'],
    ['azure', 'Microsoft.Insights/diagnosticSettings/delete', {}, 'stops_logging 3'],
    ['cloudtrail', 'PutEventSelectors', { includeManagementEvents: false }, 'narrows_logging 3'],
    ['guardduty', 'DeleteDetector', {}, 'weakens_guard 3'],
    ['github', 'delete_branch_protection', {}, 'weakens_guard 3'],
    ['organizations', 'LeaveOrganization', {}, 'leaves_organisation 3'],
    ['kms', 'ScheduleKeyDeletion', {}, 'destroys_key 3'],
    ['rds', 'DeleteDBSnapshot', {}, 'destroys_copies 3'],
    ['rds', 'DeleteDBInstance', {}, 'destroys_store 2'],
    ['rds', 'DeleteDBInstance', { skipFinalSnapshot: true }, 'destroys_store 3'],
    ['rds', 'ModifyDBSnapshotAttribute', { valuesToAdd: ['111122223333'] }, 'shares_copy 3'],
    ['s3', 'PutBucketPolicy', { policy: { Principal: '*' } }, 'exposes_resource 3'],
    ['ec2', 'AuthorizeSecurityGroupIngress', { cidrIp: '0.0.0.0/0' }, 'opens_network 3'],
    ['azure', 'Microsoft.Storage/storageAccounts/listKeys/action', {}, 'takes_keys 3'],
    ['secretsmanager', 'GetSecretValue', {}, 'takes_secret 2'],
    ['ec2', 'ModifyInstanceAttribute', { userData: 'aGVsbG8=' }, 'changes_start_code 3'],
    ['iam', 'AttachRolePolicy', { policyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' }, 'grants_rights 3'],
    ['iam', 'AttachRolePolicy', { policyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }, 'grants_rights 2'],
  ] as const)
    assert.equal(read(service, operation, parameters), expected, operation);
});

test('everyday calls are no deed', () => {
  for (const [service, operation, parameters] of [
    ['ec2', 'DescribeInstances', {}],
    ['ec2', 'DescribeInstanceAttribute', { attribute: 'instanceType' }],
    ['ec2', 'RunInstances', { instanceType: 't3.micro', maxCount: 1 }],
    ['ec2', 'CreateTags', {}],
    ['s3', 'CreateBucket', {}],
    ['s3', 'PutObject', {}],
    ['iam', 'ListAccessKeys', {}],
    ['iam', 'GetAccountPasswordPolicy', {}],
    ['sts', 'GetCallerIdentity', {}],
    ['sts', 'AssumeRole', {}],
    ['ssm', 'GetCommandInvocation', {}],
    ['ssm', 'TerminateSession', {}],
    ['logs', 'CreateLogGroup', {}],
    ['cloudwatch', 'PutMetricAlarm', {}],
    ['rds', 'CreateDBSnapshot', {}],
    ['kms', 'CancelKeyDeletion', {}],
    ['secretsmanager', 'ListSecrets', {}],
    ['github', 'create_issue', {}],
    ['kubernetes', 'get_pods', {}],
    ['ec2', 'AuthorizeSecurityGroupIngress', { cidrIp: '10.0.0.0/8' }],
  ] as const)
    assert.equal(read(service, operation, parameters), '', `${service} ${operation}`);
});
