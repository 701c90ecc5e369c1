/** How a backend is, and how long it took to say so. */
export interface BackendHealth {
  status: 'ok' | 'error';
  latency_ms: number;
  /** Why it is an error, in words for an operator. */
  detail?: string;
}
