/** What tests of the examples need: a folder for the filesystem server, and the person who decides. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import { MINUTES } from '../../examples/agent-loop/story.ts';
import { type Customer, call } from '../support/client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import type { Weir } from '../support/weir.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** The real filesystem server, from npm. */
export const FILESYSTEM_SERVER = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);
export const KEY = /ssh-ed25519 [^"]+/.exec(MINUTES)![0];

const homes: string[] = [];
after(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** A home folder with a file in it that gives orders. Not a temporary folder: what is written there hardly counts. */
export function makeHome(): string {
  const home = mkdtempSync(join(ROOT, 'examples/agent-loop/home-'));
  homes.push(home);
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, 'minutes.md'), MINUTES);
  return home;
}

export interface Held {
  event_id: string;
  violations: string[];
}

/** The person: sees what is held, gets a right to decide, and decides. */
export function personOf({ api, auth }: Pick<Weir, 'api' | 'auth'>, { customer_id, api_key: key }: Customer) {
  const list = async (state: string): Promise<Held[]> => {
    const reply = await call(`${api}/scores/${customer_id}?hold=${state}`, { key });
    assert.equal(reply.status, 200, reply.text);
    return reply.json['scores'] as Held[];
  };
  const decide = async (event_id: string, decision: 'approve' | 'reject', reason = 'seen'): Promise<string> => {
    const right = { customer_id, event_id, allowed_decisions: [decision] };
    const issued = await call(`${auth}/tokens/override`, { body: right });
    assert.equal(issued.status, 201, issued.text);
    const body = { override_token: issued.json['token'], decision, reason };
    const decided = await call(`${auth}/overrides/${event_id}/decide`, { body });
    assert.equal(decided.status, 200, decided.text);
    return String(decided.json['cosignature']);
  };
  /** Waits until one event is held. */
  const nextHeld = async (): Promise<Held> => {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
      const [one] = await list('held');
      if (one !== undefined) return one;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('nothing was held');
  };
  return { list, decide, nextHeld };
}
