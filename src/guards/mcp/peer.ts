/** One end of an MCP connection that passes messages on. The SDK pairs requests with answers, cancels, times out and counts progress. */
import { Protocol, type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Notification, Request, Result } from '@modelcontextprotocol/sdk/types.js';

export type Params = Record<string, unknown>;
export type Extra = RequestHandlerExtra<Request, Notification>;

/** The SDK's `Client` and `Server` know one side each and drop what they do not know; a proxy must not. */
export class Peer extends Protocol<Request, Notification, Result> {
  // What either side may ask, its counterpart decides.
  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(): void {}
  protected override assertTaskHandlerCapability(): void {}
}

/** An error as JSON-RPC has it: the other side gets the same code, message and data. */
export class PassedError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The SDK writes `MCP error CODE: ` before the message of an error that it received. */
const PREFIX = /^MCP error -?\d+: /;

export function passedError(error: unknown): PassedError {
  const { code = -32603, message, data } = error as { code?: unknown; message: string; data?: unknown };
  return new PassedError(typeof code === 'number' ? code : -32603, message.replace(PREFIX, ''), data);
}

export const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
