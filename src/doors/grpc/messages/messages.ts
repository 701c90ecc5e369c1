/**
 * Made by `npm run proto` from proto/; change those files, not this one.
 *
 * One shape for reading and writing: what was not sent has its default, a message or an `optional` field is null.
 * Enums are open: a field holds any number that a newer client may send.
 */

export const RiskLevel = {
  NONE: 0,
  LOW: 1,
  MEDIUM: 2,
  HIGH: 3,
  CRITICAL: 4,
} as const;

export const MCPTransport = {
  MCP_TRANSPORT_UNSPECIFIED: 0,
  STDIO: 1,
  SSE: 2,
  HTTP: 3,
} as const;

export const DataClassification = {
  DATA_CLASSIFICATION_UNSPECIFIED: 0,
  PUBLIC: 1,
  PII: 2,
  PHI: 3,
  FINANCIAL: 4,
  SECRET: 5,
  RESTRICTED: 6,
} as const;

export interface AgentInfo {
  agent_id: string;
  agent_type: string;
  framework: string;
  model: string;
}

export interface SessionInfo {
  session_id: string;
  user_id: string;
  started_at: string;
}

export interface TargetInfo {
  resource_type: string;
  resource_id: string;
  sensitivity_level: number | null;
}

export interface MCPContext {
  server_name: string;
  server_id: string;
  transport: number;
  is_verified: boolean | null;
  tool_name: string;
  tool_description: string;
}

export interface ClassifiedField {
  field: string;
  classification: number | null;
}

export interface ActionContext {
  action: string;
  agent: AgentInfo | null;
  session: SessionInfo | null;
  target: TargetInfo | null;
  mcp_context: MCPContext | null;
  data_fields: ClassifiedField[];
  user_context: string;
  conversation_history: string[];
  parameters: Uint8Array;
  metadata: Record<string, string>;
  preceding_actions: string[];
  timestamp: string;
  event_id: string;
  tool_name: string;
  tool_input: string;
  resource: string;
  user_id: string;
  legacy_data_fields: string[];
}

export interface ScoreDecomposition {
  intrinsic_score: number;
  gnn_score: number;
  policy_score: number;
  temporal_modifier: number;
  raw_weighted: number;
  w1: number;
  w2: number;
  w3: number;
  gnn_confidence: number;
  overall_confidence: number;
}

export interface RiskAssessment {
  level: number;
  confidence: number;
  reasoning: string;
  mitigations: string[];
  justification: string;
  score: number;
  violations: string[];
  compliance_refs: string[];
  scoring_source: string;
  behavioral_flags: string[];
  graph_score: number;
  llm_score: number;
  llm_fallback: boolean;
  score_decomposition: ScoreDecomposition | null;
  hold_state: string;
}

export interface EvaluateRiskRequest {
  context: ActionContext | null;
  customer_id: string;
}

export interface EvaluateRiskResponse {
  assessment: RiskAssessment | null;
  event_id: string;
}

export interface BatchEvaluateRiskRequest {
  contexts: ActionContext[];
  customer_id: string;
}

export interface BatchEvaluateRiskResponse {
  assessments: RiskAssessment[];
  event_ids: string[];
}

export interface StreamEvaluateRiskRequest {
  request_id: string;
  context: ActionContext | null;
  customer_id: string;
}

export interface StreamEvaluateRiskResponse {
  request_id: string;
  assessment: RiskAssessment | null;
  event_id: string;
  error: Status | null;
}

export interface Any {
  type_url: string;
  value: Uint8Array;
}

export interface Duration {
  seconds: number;
  nanos: number;
}

export interface Status {
  code: number;
  message: string;
  details: Any[];
}

export interface ErrorInfo {
  reason: string;
  domain: string;
  metadata: Record<string, string>;
}

export interface BadRequest {
  field_violations: FieldViolation[];
}

export interface FieldViolation {
  field: string;
  description: string;
}

export interface RetryInfo {
  retry_delay: Duration | null;
}

export interface RequestInfo {
  request_id: string;
  serving_data: string;
}

/** Message types by their full names. */
export interface MessageTypes {
  'risk.v1.AgentInfo': AgentInfo;
  'risk.v1.SessionInfo': SessionInfo;
  'risk.v1.TargetInfo': TargetInfo;
  'risk.v1.MCPContext': MCPContext;
  'risk.v1.ClassifiedField': ClassifiedField;
  'risk.v1.ActionContext': ActionContext;
  'risk.v1.ScoreDecomposition': ScoreDecomposition;
  'risk.v1.RiskAssessment': RiskAssessment;
  'risk.v1.EvaluateRiskRequest': EvaluateRiskRequest;
  'risk.v1.EvaluateRiskResponse': EvaluateRiskResponse;
  'risk.v1.BatchEvaluateRiskRequest': BatchEvaluateRiskRequest;
  'risk.v1.BatchEvaluateRiskResponse': BatchEvaluateRiskResponse;
  'risk.v1.StreamEvaluateRiskRequest': StreamEvaluateRiskRequest;
  'risk.v1.StreamEvaluateRiskResponse': StreamEvaluateRiskResponse;
  'google.protobuf.Any': Any;
  'google.protobuf.Duration': Duration;
  'google.rpc.Status': Status;
  'google.rpc.ErrorInfo': ErrorInfo;
  'google.rpc.BadRequest': BadRequest;
  'google.rpc.BadRequest.FieldViolation': FieldViolation;
  'google.rpc.RetryInfo': RetryInfo;
  'google.rpc.RequestInfo': RequestInfo;
}
