/** Loads the weights of the structural layer, which ship in `models/structural/`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StructuralModel } from '../../scoring/layers/structural.ts';
import { Network } from '../../scoring/network/forward.ts';
import { checkedText, layoutProblem, type WeightsFile, weightsOf } from '../../scoring/network/weights-file.ts';

export const WEIGHTS_FILE = fileURLToPath(new URL('../../../models/structural/weights.json', import.meta.url));

const ADVICE =
  'restore models/structural/weights.json from the release, run `npm run train`, or set GNN_ENABLED=false to score without the structural layer';

/** The weights cannot be used. The message names the file, what is wrong and what to do. */
export class WeightsError extends Error {
  override name = 'WeightsError';

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}; ${ADVICE}`);
  }
}

export const checksumOf = (file: Omit<WeightsFile, 'checksum'>): string =>
  createHash('sha256').update(checkedText(file)).digest('hex');

function readFile(path: string): WeightsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new WeightsError(path, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text) as WeightsFile;
  } catch {
    throw new WeightsError(path, 'is not JSON');
  }
}

/** @throws WeightsError if the file is missing, damaged, or made for another version */
export function loadStructural(path: string = WEIGHTS_FILE): StructuralModel {
  const file = readFile(path);
  if (typeof file !== 'object' || file === null || file.checksum !== checksumOf(file))
    throw new WeightsError(path, 'is damaged: its checksum does not fit its content');
  const problem = layoutProblem(file);
  if (problem !== '') throw new WeightsError(path, problem);
  return { version: file.checksum, network: new Network(weightsOf(file.weights)), calibration: file.calibration };
}
