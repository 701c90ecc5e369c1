/**
 * One server for all test files of a process, for tests that only look at what belongs to their customer: neither at the server's
 * settings, metrics and output, nor at what it does when it stops. `test/run.ts` puts such files into few processes.
 */
import { newCustomer } from './client.ts';
import { startWeir, type Weir } from './weir.ts';

export type SharedWeir = Pick<Weir, 'api' | 'auth' | 'grpc' | 'customer_id' | 'api_key' | 'data_dir'>;

let started: Promise<Weir> | undefined;

/** The server, with a customer of the caller's own. It stops with the process. */
export async function sharedWeir(): Promise<SharedWeir> {
  started ??= startWeir();
  const weir = await started;
  const { customer_id, api_key } = await newCustomer(weir);
  const { api, auth, grpc, data_dir } = weir;
  return { api, auth, grpc, data_dir, customer_id, api_key };
}
