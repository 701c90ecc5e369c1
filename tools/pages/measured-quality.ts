/** The committed figures of docs/quality.md: measured by `measure-quality.ts`, which needs the labelled actions. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BySource } from '../evaluation/by-source.ts';
import type { Confidence } from '../evaluation/confidence/count-confidence.ts';
import type { ChangeRow, ChangeSummary } from '../evaluation/metamorphic/count-changes.ts';
import type { SessionRow } from '../evaluation/sessions/count-sessions.ts';

export const QUALITY_FILE = resolve(import.meta.dirname, '../../docs/quality-measured.json');

export interface MeasuredQuality {
  rule_set_version: string;
  /** Files that were read, below `data/`. */
  files: string[];
  by_source: BySource;
  sessions: SessionRow[];
  changes: ChangeSummary[];
  /** Rows of changes and sources that are beyond the bounds. */
  beyond: ChangeRow[];
  confidence: Confidence;
}

/** `null` before anything was measured. */
export function readMeasuredQuality(): MeasuredQuality | null {
  return existsSync(QUALITY_FILE) ? (JSON.parse(readFileSync(QUALITY_FILE, 'utf8')) as MeasuredQuality) : null;
}
