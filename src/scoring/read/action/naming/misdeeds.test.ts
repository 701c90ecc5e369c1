import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../test/support/readings.ts';

const named = (action: string, tool_name?: string): string =>
  factsOf({ action, ...(tool_name !== undefined && { mcp_context: { server_name: 's', tool_name } }) }).string(
    'misdeed_named',
  );

test('a misdeed in the name of a tool or an action, in any style', () => {
  for (const tool of [
    'EvidenceTampering',
    'deploy_ransomware',
    'unlawfulSurveillance',
    'market-manipulation-tool',
    'FakeCertificates',
  ])
    assert.notEqual(named('tool:function:call', tool), '', tool);
  assert.equal(named('finance:price_manipulation:run'), 'price manipulation');
});

test('what works against misdeeds, tells of them, or only shares a word with them', () => {
  for (const tool of [
    'fraud_detection',
    'ReportTheft',
    'anti_phishing_filter',
    'malware_scan',
    'StringManipulationTool',
    'dependency_injection',
    'infection_record',
    'SimulatedPhishing',
    'memory_leak_finder',
    'certificates',
  ])
    assert.equal(named('tool:function:call', tool), '', tool);
  assert.equal(named('insurance:fraud:report'), '');
  assert.equal(named('claims:theft:search'), '');
});
