/**
 * Policy files: read as strictly as the API reads a body, compiled as the server compiles them, every problem in words.
 */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { loadKnowledge } from '../engine/knowledge/knowledge.ts';
import { counted } from '../lang/english.ts';
import type { Json } from '../lang/json.ts';
import { WeirError } from '../platform/errors.ts';
import { parseJson } from '../platform/json/json.ts';
import { CliError, type Output } from '../platform/terminal/output.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { compilePolicy, PolicyError, type Problem } from '../scoring/policy/policy.ts';
import { pointer } from '../scoring/policy/problems.ts';
import { type ReliefReview, reviewRelief } from '../scoring/policy/relief.ts';
import type { CompiledPolicy } from '../scoring/types.ts';

export async function checkPolicy(file: string, as_json: boolean, output: Output): Promise<void> {
  const knowledge = await loadKnowledge();
  try {
    const compiled = compileFor(await readPolicyFile(file), knowledge);
    const reviews = reviewsOf(compiled);
    if (as_json) {
      const relief = reviews.length > 0 ? { relief: reviews } : {};
      await output.line(JSON.stringify({ valid: true, errors: [], ...relief }));
      return;
    }
    for (const review of reviews) await output.line(describeReview(review));
    await output.line(`${nameOf(file)} compiles: ${contents(compiled)}`);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    if (as_json) await output.line(JSON.stringify({ valid: false, errors: error.problems }));
    else for (const problem of error.problems) await output.line(describe(problem));
    throw new CliError(`${nameOf(file)} is refused: ${counted(error.problems.length, 'problem')}`);
  }
}

/**
 * Compiles against the loaded knowledge: rule names that a custom rule must not take, rules to override, frameworks.
 */
const compileFor = (policies: Json, knowledge: Knowledge): CompiledPolicy =>
  compilePolicy(policies, 0, (name) => knowledge.rule_by_id.has(name), knowledge);

/** Reads and compiles a policy file for scoring; any problem ends the command. */
export async function loadPolicyFile(file: string, knowledge: Knowledge): Promise<CompiledPolicy> {
  try {
    return compileFor(await readPolicyFile(file), knowledge);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const [first, ...more] = error.problems.map(describe);
    if (more.length === 0) throw new CliError(`${nameOf(file)} is refused: ${first}`);
    const lines = [first, ...more].map((line) => `\n  ${line}`);
    throw new CliError(`${nameOf(file)} is refused: ${counted(lines.length, 'problem')}${lines.join('')}`);
  }
}

/** Rejects with `PolicyError` for text that is not JSON. */
async function readPolicyFile(file: string): Promise<Json> {
  const bytes = file === '-' ? Buffer.from(await text(process.stdin)) : await readFile(file).catch(refuseFile(file));
  try {
    return parseJson(bytes).value;
  } catch (error) {
    if (!(error instanceof WeirError)) throw error;
    throw new PolicyError([{ path: '', message: error.detail.replace('the body', 'the policy') }]);
  }
}

const refuseFile = (file: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EISDIR') throw new CliError(`\`${file}\` is a directory; name a file with a policy, or \`-\``);
  throw new CliError(
    error.code === 'ENOENT' ? `there is no file \`${file}\`` : `cannot read \`${file}\`: ${error.code}`,
  );
};

const nameOf = (file: string): string => (file === '-' ? 'standard input' : `\`${file}\``);

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** A problem as a person reads it: `custom rule `night_delete`, condition: column 7: …`. */
function describe({ path, message }: Problem): string {
  const [, field, name, part, index] = path.split('/').map(unescapePointer);
  const where = `${part === undefined ? '' : `, ${part}`}${index === undefined ? '' : ` ${Number(index) + 1}`}`;
  if (field === 'custom_rules' && name !== undefined) return `custom rule \`${name}\`${where}: ${message}`;
  if (field === 'rule_overrides' && name !== undefined) return `override of \`${name}\`${where}: ${message}`;
  return path === '' ? message : `${path}: ${message}`;
}

interface PlacedReview extends ReliefReview {
  path: string;
  condition: string;
}

/** Every exception and every rule that lowers the score, with what it reads. */
function reviewsOf({ rule_overrides, custom_rules }: CompiledPolicy): PlacedReview[] {
  const exceptions = [...rule_overrides].flatMap(([id, override]) =>
    override.exceptions.map((condition, i) => ({
      path: pointer('rule_overrides', id, 'exceptions', `${i}`),
      condition,
    })),
  );
  const lowering = custom_rules
    .filter(({ score_impact }) => score_impact < 0)
    .map(({ name, condition }) => ({ path: pointer('custom_rules', name, 'condition'), condition }));
  return [...exceptions, ...lowering].map(({ path, condition }) => ({
    path,
    condition: condition.source,
    ...reviewRelief(condition),
  }));
}

/** A review as a person reads it: `override of `x`, exceptions 1: reads domain; cannot be forged`. */
function describeReview({ path, reads, can_be_forged, suggestion }: PlacedReview): string {
  const names = reads.length === 0 ? 'reads nothing' : `reads ${reads.map((name) => `\`${name}\``).join(', ')}`;
  const verdict = can_be_forged
    ? 'what an agent adds to an event can make it true'
    : 'nothing that an agent adds to an event makes it true';
  return describe({ path, message: `${names}; ${verdict}${suggestion === '' ? '' : `; ${suggestion}`}` });
}

function contents({ policies, custom_rules, rule_overrides }: CompiledPolicy): string {
  const lists = Object.entries(policies).filter(([, entries]) => Array.isArray(entries));
  const parts = lists.map(([name, entries]) => {
    const nouns = name.replaceAll('_', ' ');
    return counted((entries as Json[]).length, nouns.replace(/s$/, ''), nouns);
  });
  parts.push(counted(custom_rules.length, 'custom rule'));
  if (rule_overrides.size > 0) parts.push(counted(rule_overrides.size, 'overridden rule'));
  if (policies['profile'] !== undefined) parts.push('a profile');
  return parts.join(', ');
}
