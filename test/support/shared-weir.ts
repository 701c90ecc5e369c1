/**
 * One server for all test files of a process, for tests that only look at what belongs to their customer: neither at the server's
 * settings, metrics and output, nor at what it does when it stops. `test/run.ts` puts such files into few processes.
 */
import { newCustomer } from './client.ts';
import { type HostedWeir, startHostedWeir } from './hosted-weir.ts';

/** `stderr()`: what it has told of all its customers so far; only for tests of what it must not tell. */
export type SharedWeir = Omit<HostedWeir, 'stop' | 'stdout' | 'metrics' | 'gate_key' | 'sign_in_url'> & {
  /** The customer that the server's first start made. At most one file of the tests uses it. */
  first: Pick<HostedWeir, 'customer_id' | 'api_key' | 'gate_key'>;
};

let started: Promise<HostedWeir> | undefined;

/** The server, with a customer of the caller's own. It stops with the process. */
export async function sharedWeir(): Promise<SharedWeir> {
  started ??= startHostedWeir();
  const weir = await started;
  const { customer_id, api_key } = await newCustomer(weir);
  const { api, auth, grpc, data_dir, admin_key, stderr, isRunning } = weir;
  const first = { customer_id: weir.customer_id, api_key: weir.api_key, gate_key: weir.gate_key };
  return { api, auth, grpc, data_dir, admin_key, customer_id, api_key, first, isRunning, stderr };
}
