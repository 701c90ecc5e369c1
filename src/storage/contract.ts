/**
 * What every backend must do, as tests. A backend's test file names a way to start one, and runs these.
 * To add a promise, add a test to one of the files in contract/.
 */
export { cacheContract } from './contract/cache.ts';

import { describe } from 'node:test';
import { apiKeyTests } from './contract/api-keys.ts';
import { faultTests } from './contract/faults.ts';
import { listTests } from './contract/lists.ts';
import { policyTests } from './contract/policies.ts';
import { recordTests } from './contract/records.ts';
import { type Start, useBench } from './contract/start.ts';
import { textTests } from './contract/texts.ts';

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
    faultTests(bench);
  });
}
