/** `weir-client`: ask Weir before an agent acts. No dependency; runs in Node 20 and later, Bun and browsers. */
export { actionHash } from './action-hash.ts';
export { createClient } from './client.ts';
export { type Conversation, conversationOf } from './conversation.ts';
export { WeirError } from './http.ts';
export { memoryStore } from './memory-store.ts';
export { type ToolCall, toolAction } from './tool-action.ts';
export type * from './types.ts';
export { verifyDecision } from './verify.ts';
