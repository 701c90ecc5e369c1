/**
 * The ceiling that Weir's gRPC is measured beside: a bare grpc-js server over the same .proto file that decodes the
 * same request and answers a made-up assessment, without scoring and without storing.
 */
import { resolve } from 'node:path';
import {
  type GrpcObject,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServiceClientConstructor,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

interface Request {
  context: { action: string };
  request_id: string;
}

const ASSESSMENT = {
  level: 2,
  confidence: 0.9,
  reasoning: 'Medium risk (47) for `crm:contact:update` on customer_record `customer_record-17`. '.repeat(4),
  mitigations: ['Remove or mask the fields.', 'Use an approved channel.', 'Confirm recipient and purpose.'],
  justification: 'Sensitive data go out. The score is 47 of 100. It bears on GDPR:Article_32.',
  score: 47,
  violations: ['sensitive_data_go_out', 'new_recipient_after_sensitive_read'],
  compliance_refs: ['GDPR:Article_5(1)(f)', 'GDPR:Article_32', 'ISO_27001:A.8.12', 'SOC2:CC6.7'],
  scoring_source: 'graph_reasoner',
  behavioral_flags: ['sensitive_payload'],
  graph_score: 47,
  score_decomposition: { intrinsic_score: 40, policy_score: 50, temporal_modifier: 1, w1: 0.27, w3: 0.73 },
};

const proto = resolve(import.meta.dirname, '../../../proto');
const definition = loadSync('risk/v1/risk.proto', { keepCase: true, includeDirs: [proto] });
const { risk } = loadPackageDefinition(definition) as unknown as { risk: { v1: GrpcObject } };
const { service } = risk.v1['RiskEvaluationService'] as ServiceClientConstructor;
const server = new Server({ 'grpc.enable_channelz': 0 });
let events = 0;
const answer = ({ context, request_id }: Request) => {
  if (context.action === '') throw new Error('no action');
  return { request_id, assessment: ASSESSMENT, event_id: `event-${++events}` };
};
server.addService(service, {
  EvaluateRisk: (call: { request: Request }, done: (error: null, value: object) => void) =>
    done(null, answer(call.request)),
  BatchEvaluateRisk: (_call: unknown, done: (error: null, value: object) => void) => done(null, { assessments: [] }),
  StreamEvaluateRisk: (call: {
    on(event: string, listener: (request: Request) => void): void;
    write(value: object): void;
    end(): void;
  }) => {
    call.on('data', (request) => call.write(answer(request)));
    call.on('end', () => call.end());
  },
});
server.bindAsync(`127.0.0.1:${process.env['BENCH_PORT']}`, ServerCredentials.createInsecure(), (error) => {
  if (error !== null) throw error;
});
