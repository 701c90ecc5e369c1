/**
 * One server for all tests of this process that need no server of their own: no setting, no restart, no data of another. The
 * files that use it run in one process (test/support/shared-processes.ts), and each has a customer of its own.
 */
import { newCustomer } from './client.ts';
import { startWeir, type Weir } from './weir.ts';

/** A server that its user may not stop. `customer_id` and `api_key` are of a new customer and its owner. */
export type SharedWeir = Omit<Weir, 'stop' | 'gate_key' | 'sign_in_url'>;

let started: Promise<Weir> | undefined;

/** Starts the server when it is asked for the first time; it is stopped after the last test of the process. */
export async function sharedWeir(): Promise<SharedWeir> {
  started ??= startWeir();
  const weir = await started;
  const { customer_id, api_key } = await newCustomer(weir);
  return { ...weir, customer_id, api_key };
}
