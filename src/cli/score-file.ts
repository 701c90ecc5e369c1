/** Scores a file of events: one result per line, in order; a bad line does not end the run. */

import { eventOf } from '../../tools/evaluation/labelled.ts';
import { knowledgeHere } from '../engine/knowledge/knowledge-here.ts';
import { readEvent } from '../events/read-event.ts';
import { counted } from '../lang/english.ts';
import { systemClock } from '../platform/clock.ts';
import { type FieldError, WeirError } from '../platform/errors.ts';
import { isBlank, type Line, openInput } from '../platform/terminal/input.ts';
import { CliError, type Output } from '../platform/terminal/output.ts';
import { startProgress } from '../platform/terminal/progress.ts';
import { MAX_LINE_BYTES, parseLine } from '../platform/terminal/read-record.ts';
import { scoreResult } from '../records/views.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { levelOf } from '../scoring/level.ts';
import { NO_POLICY } from '../scoring/policy/policy.ts';
import { score } from '../scoring/score.ts';
import type { CompiledPolicy } from '../scoring/types.ts';
import { loadPolicyFile } from './check-policy.ts';

export async function scoreFile(file: string, policy_file: string | undefined, output: Output): Promise<void> {
  const knowledge = await knowledgeHere();
  const policy = policy_file === undefined ? NO_POLICY : await loadPolicyFile(policy_file, knowledge);
  const input = await openInput(file, MAX_LINE_BYTES);
  // On the same terminal, results and the progress bar would overwrite each other.
  const progress = startProgress(input, !process.stdout.isTTY);
  let lines = 0;
  let refused = 0;
  try {
    for await (const line of input.lines) {
      if (isBlank(line)) continue;
      const result = scoreLine(line, policy, knowledge);
      lines += 1;
      if ('error' in result) refused += 1;
      await output.line(JSON.stringify(result));
      if (output.is_closed) return;
      progress.tick();
    }
  } finally {
    progress.stop();
  }
  if (refused > 0)
    throw new CliError(`${refused} of ${counted(lines, 'line')} ${refused === 1 ? 'was' : 'were'} refused`);
}

interface RefusedLine {
  line: number;
  error: string;
  errors?: FieldError[];
}

function scoreLine(line: Line, policy: CompiledPolicy, knowledge: Knowledge): object | RefusedLine {
  try {
    const { value, has_odd_characters } = parseLine(line);
    const { event } = readEvent({ value: eventOf(value), has_odd_characters }, systemClock);
    const assessment = score(event, null, policy, knowledge);
    return scoreResult({
      event_id: event.event_id,
      risk_level: levelOf(assessment.score),
      assessment,
      hold: null,
      would_hold: false,
    });
  } catch (error) {
    if (!(error instanceof WeirError)) throw error;
    return { line: line.number, error: error.detail, ...(error.errors && { errors: error.errors }) };
  }
}
