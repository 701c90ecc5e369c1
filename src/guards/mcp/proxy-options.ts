/** What every session of the proxy shares. */
import type { Client } from '../../../clients/typescript/src/types.ts';
import type { ProxyConfig } from './config.ts';

export interface ProxyOptions {
  config: ProxyConfig;
  client: Client;
  /** Folder of pins, held events and used approvals. */
  state_dir: string;
  /** Seconds that a held call waits for a decision. */
  wait_s: number;
  agent_id: string | undefined;
  /** What the proxy calls itself. */
  version: string;
  /** For people: standard error. */
  say: (text: string) => void;
}
