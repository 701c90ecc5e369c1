/** What the parameters of an action hold, or may hold. */
import type { DetectedData } from '../read/data/found/detected-data.ts';
import type { Readings } from '../read/readings.ts';
import type { Argument } from '../read/values/argument.ts';

/** Names and addresses stand in every message, the recipient's own first of all. */
export const CONTACT_SEVERITY = 1;
/** Sinks that are, or may be, outside. */
export const OUTWARD: ReadonlySet<string> = new Set(['external', 'public', 'unknown']);
/** A longer word that nobody said may be data in a form that is not read (characters). */
const OPAQUE = 16;

export const isSensitiveValue = ({ basis, severity }: DetectedData): boolean =>
  basis === 'value' && severity > CONTACT_SEVERITY;

/** Classes of values that the agent saw earlier and the parameters carry. */
export const carriedClasses = (r: Readings): string[] => r.data.carried.map((c) => c.data.data_class);

/** Classes of sensitive values in the parameters themselves. */
export const payloadClasses = (r: Readings): string[] => [
  ...r.data.touched.filter(isSensitiveValue).map((found) => found.data_class),
  ...carriedClasses(r),
];

/** Whether the argument comes from what was read, or its content is not shown: a file, a command, an opaque word. */
function mayHoldWhatWasRead({ provenance, kind, role, value }: Argument): boolean {
  // An address alone is not data of anybody; sensitive ones are carried values.
  if (kind === 'email') return false;
  if (provenance === 'tool' || kind === 'path' || kind === 'command' || role === 'path') return true;
  return provenance === 'none' && kind === 'identifier' && value.length >= OPAQUE;
}

/** Whether a value beside the destinations comes from text that tools brought in, names a file, or cannot be read. */
export const payloadMayHoldWhatWasRead = (r: Readings): boolean =>
  r.data.carried.length > 0 || r.arguments.some((a) => !r.sink.destinations.includes(a) && mayHoldWhatWasRead(a));
