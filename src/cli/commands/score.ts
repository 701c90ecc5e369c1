/** `weir score FILE`: scores events from a file, without a server and without storing anything. */
import type { Command } from 'commander';
import type { Output } from '../../platform/terminal/output.ts';

const EXAMPLES = `
Reads one JSON object a line: an event, or a labelled record with an \`event\`. Plain or gzip.
Writes one JSON object a line, in the same order: the result as POST /events gives it, or for a line
that is no valid event {"line": 7, "error": "…"}. Ends with 1 when a line was refused.

Examples:
  weir score events.jsonl > results.jsonl
  weir score events.jsonl.gz --policy policy.json | jq 'select(.score >= 61)'
  echo '{"action": "payment:refund:create", "parameters": {"amount": 900}}' | weir score -
`;

export function addScore(program: Command, output: Output): void {
  program
    .command('score')
    .description('score a file of events')
    .argument('<file>', 'JSON lines, plain or gzip, or - for standard input')
    .option('--policy <file>', 'JSON file with the policy to score under; default: none')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: { policy?: string }) => {
      const { scoreFile } = await import('../score-file.ts');
      await scoreFile(file, options.policy, output);
    });
}
