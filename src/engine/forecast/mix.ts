/** The mix of a forecast: which kinds of agents act, and how many of their actions are harmful. */

import { readFileSync } from 'node:fs';
import { isObject } from '../../lang/json.ts';
import { suggest } from '../../lang/suggest.ts';
import { AGENT_KINDS, type AgentKind, DEFAULT_MIX_FILE } from './measured.ts';

export interface MixPart {
  kind: AgentKind;
  /** Of all events, 0-1; the shares of a mix sum to 1. */
  share: number;
  /** Of this kind's events, 0-1. */
  harmful: number;
}

export type Mix = readonly MixPart[];

/** The mix cannot be used. The message says which file, where, and what to write. */
export class MixError extends Error {
  override name = 'MixError';
}

/** Shares are written by hand: thirds may be rounded. */
const SUM_TOLERANCE = 0.005;
const FIELDS = ['share', 'harmful_per_1000'] as const;

/** Reads the mix of a file, or the one that ships where the name is `default`. @throws MixError */
export function loadMix(file: string): Mix {
  const path = file === 'default' ? DEFAULT_MIX_FILE : file;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new MixError(`mix \`${path}\`: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return readMix(text);
  } catch (error) {
    if (error instanceof MixError) throw new MixError(`mix \`${path}\`: ${error.message}`);
    throw error;
  }
}

/** @throws MixError */
export function readMix(text: string): Mix {
  const parts = Object.entries(objectOf(parse(text), 'the file')).map(([name, value]) => partOf(name, value));
  const sum = parts.reduce((total, { share }) => total + share, 0);
  if (Math.abs(sum - 1) > SUM_TOLERANCE)
    throw new MixError(`the values of \`share\` sum to ${Number(sum.toFixed(4))}; they must sum to 1`);
  return parts.map((part) => ({ ...part, share: part.share / sum }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MixError(`is not JSON: ${(error as Error).message}`);
  }
}

function objectOf(value: unknown, where: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new MixError(`${where} must be an object, for example {"coding": {"share": 1, "harmful_per_1000": 1}}`);
}

function partOf(name: string, value: unknown): MixPart {
  const kind = AGENT_KINDS.find((known) => known === name);
  if (kind === undefined)
    throw new MixError(
      `\`${name}\` is no kind of agent${suggest(name, AGENT_KINDS)}; known are ${AGENT_KINDS.join(', ')}`,
    );
  const part = objectOf(value, `\`${name}\``);
  const unknown = Object.keys(part).find((field) => !FIELDS.includes(field as (typeof FIELDS)[number]));
  if (unknown !== undefined)
    throw new MixError(
      `\`${name}\` has no field \`${unknown}\`${suggest(unknown, FIELDS)}; it has ${FIELDS.join(' and ')}`,
    );
  const share = numberOf(part, name, 'share', 1);
  return { kind, share, harmful: numberOf(part, name, 'harmful_per_1000', 1_000) / 1_000 };
}

function numberOf(part: Record<string, unknown>, name: string, field: string, most: number): number {
  const value = part[field];
  if (typeof value === 'number' && value >= 0 && value <= most) return value;
  const given = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
  throw new MixError(`\`${name}.${field}\` ${given}; it must be a number from 0 to ${most}`);
}
