/**
 * What every backend must do, as tests. A backend's test file names a way to start one, and runs these.
 * To add a promise, add a test to one of the files in contract/.
 */
export { cacheContract } from './contract/cache.ts';

import { describe } from 'node:test';
import { apiKeyTests } from './contract/api-keys.ts';
import { faultTests } from './contract/faults.ts';
import { holdTests } from './contract/holds.ts';
import { listTests } from './contract/lists.ts';
import { lostEventTests } from './contract/lost-events.ts';
import { policyTests } from './contract/policies.ts';
import { queueTests } from './contract/queue.ts';
import { deadEventTests } from './contract/queue-dead.ts';
import { recordTests } from './contract/records.ts';
import { signingKeyTests } from './contract/signing-keys.ts';
import { type Start, useBench } from './contract/start.ts';
import { textTests } from './contract/texts.ts';
import { tokenTests } from './contract/tokens.ts';
import { traceTests } from './contract/traces.ts';
import { webhookTests } from './contract/webhooks.ts';

/** Runs the suite for storages. `skip` says loudly why it cannot run here. */
export function storageContract(name: string, start: Start, skip?: string): void {
  describe(`${name}: storage contract`, { skip: skip ?? false }, () => {
    const bench = useBench(start);
    // First, because it looks at a database where nothing is yet.
    apiKeyTests(bench);
    recordTests(bench);
    listTests(bench);
    textTests(bench);
    policyTests(bench);
    tokenTests(bench);
    signingKeyTests(bench);
    webhookTests(bench);
    holdTests(bench);
    traceTests(bench);
    queueTests(bench);
    deadEventTests(bench);
    lostEventTests(bench);
    faultTests(bench);
  });
}
