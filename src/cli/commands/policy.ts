/** `weir policy check FILE`: compiles a policy as the server would, without a server. */
import type { Command } from 'commander';
import type { Output } from '../../platform/terminal/output.ts';

const EXAMPLES = `
Prints what is wrong, with the rule's name, the column and the reason, and ends with 1 when the policy is refused.
For each exception and each rule that lowers a score it says what the condition reads, and whether what an agent adds to an
event can make it true. A condition that an agent could make true is refused.

Examples:
  weir policy check policy.json
  curl -s -H "X-API-Key: $KEY" $URL/policies/$CUSTOMER | jq .policies | weir policy check -
`;

export function addPolicy(program: Command, output: Output): void {
  const policy = program.command('policy').description('work with policies');
  policy
    .command('check')
    .description('compile a policy and report its problems')
    .argument('<file>', 'JSON file with policy fields, or - for standard input')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: { json?: true }) => {
      const { checkPolicy } = await import('../check-policy.ts');
      await checkPolicy(file, options.json === true, output);
    });
}
