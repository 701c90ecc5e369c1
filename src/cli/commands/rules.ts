/** `weir rules list` and `weir rules show ID`: the built-in rules and their reasons. */
import type { Command } from 'commander';
import type { Output } from '../../platform/terminal/output.ts';

const LIST_EXAMPLES = `
Examples:
  weir rules list
  weir rules list --family injection
  weir rules list --json
`;

const SHOW_EXAMPLES = `
ID is a rule's id (\`weir rules list\`) or its code, such as INJ-01.

Examples:
  weir rules show INJ-01
  weir rules show INJ-01 --json
`;

export function addRules(program: Command, output: Output): void {
  const rules = program.command('rules').description('see the built-in rules');
  rules
    .command('list')
    .description('list the rules with what each adds and how many articles it cites')
    .option('--family <name>', 'only rules of this family')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (options: { family?: string; json?: true }) => {
      const { listRules } = await import('../show-rules.ts');
      await listRules(options.family, options.json === true, output);
    });
  rules
    .command('show')
    .description('show one rule: its condition, premises, articles, mitigations and examples')
    .argument('<id>', 'id or code of the rule')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (id: string, options: { json?: true }) => {
      const { showRule } = await import('../show-rules.ts');
      await showRule(id, options.json === true, output);
    });
}
