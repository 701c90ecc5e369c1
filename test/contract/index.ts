/**
 * What every backend must do, as tests. A backend's test file names a way to start one, and runs these.
 * To add a promise, add a test to one of the files in contract/.
 */
export { cacheContract } from './cache.ts';

import { describe } from 'node:test';
import { activitySourceTests } from './activity-source.ts';
import { apiKeyTests } from './api-keys.ts';
import { auditTests } from './audit.ts';
import { controlTests } from './controls.ts';
import { faultTests } from './faults.ts';
import { graphTests } from './graph.ts';
import { holdTests } from './holds.ts';
import { listTests } from './lists.ts';
import { lostEventTests } from './lost-events.ts';
import { peopleTests } from './people.ts';
import { policyTests } from './policies.ts';
import { queueTests } from './queue.ts';
import { deadEventTests } from './queue-dead.ts';
import { recordTests } from './records.ts';
import { searchTests } from './search.ts';
import { signingKeyTests } from './signing-keys.ts';
import { type Start, useBench } from './start.ts';
import { textTests } from './texts.ts';
import { tokenTests } from './tokens.ts';
import { traceTests } from './traces.ts';
import { webhookTests } from './webhooks.ts';

/** Runs the suite for storages. `skip` says loudly why it cannot run here. */
export function storageContract(name: string, start: Start, skip?: string): void {
  describe(`${name}: storage contract`, { skip: skip ?? false }, () => {
    const bench = useBench(start);
    // First, because it looks at a database where nothing is yet.
    apiKeyTests(bench);
    recordTests(bench);
    listTests(bench);
    searchTests(bench);
    textTests(bench);
    policyTests(bench);
    tokenTests(bench);
    signingKeyTests(bench);
    auditTests(bench);
    webhookTests(bench);
    holdTests(bench);
    controlTests(bench);
    peopleTests(bench);
    traceTests(bench);
    queueTests(bench);
    deadEventTests(bench);
    lostEventTests(bench);
    activitySourceTests(bench);
    graphTests({
      get graph() {
        return bench.nodes[0].graph;
      },
      get other() {
        return bench.nodes[1].graph;
      },
    });
    faultTests(bench);
  });
}
