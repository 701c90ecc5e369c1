/** The graphs of a process, as one: which of them answers is decided at each question (storage/graphs.ts). */
import type { GraphSource, GraphStore } from './graph.ts';

/** What `/health/detailed` shows of the graph. */
export interface GraphHealth {
  /** `ok`: the one in use answers. `unavailable`: none does. */
  status: 'ok' | 'unavailable' | 'disabled';
  enabled: boolean;
  /** The one in use; null while the graph is switched off or none answers. */
  backend: Exclude<GraphSource, 'built_in'> | null;
  latency_ms: number;
  /** Of the external graph, where one is set: whether it answers. */
  external?: 'ok' | 'error';
}

export interface Sourced<T> {
  source: Exclude<GraphSource, 'built_in'>;
  answer: T;
}

export interface Graphs {
  enabled: boolean;
  /**
   * The answer of the external graph, or of PostgreSQL where it fails, takes longer than `patience_ms` or has no answer (null).
   * Rejects with `StoreUnavailable` when PostgreSQL fails, too, and when the graph is switched off.
   */
  ask<T>(work: (graph: GraphStore) => Promise<T | null>, patience_ms: number): Promise<Sourced<T | null>>;
  /** Checks each backend now; bounded to about a second, never rejects. */
  health(): Promise<GraphHealth>;
  /** The backends, the one that is preferred first; none while the graph is switched off. */
  all: readonly GraphStore[];
  close(): Promise<void>;
}
