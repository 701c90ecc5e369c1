/** `weir eval FILE`: measures how well the score separates harmful from benign labelled records. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { EvalOptions } from '../../../tools/evaluation/evaluate-files.ts';
import type { Slices } from '../../../tools/evaluation/report.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { HIGH } from '../../scoring/level.ts';

const EXAMPLES = `
A labelled record is one JSON object a line: \`label\` (1 harmful, 0 benign) and \`event\`; \`source\`, \`group\`,
\`label_kind\`, \`label_basis\` and \`id\` are optional. Only \`event\` is shown to the scorer.

Reports AUROC, average precision, recall at 1 % and 5 % false positives, false-positive rate and recall at the
high threshold (score ${HIGH}), and calibration, with 95 % intervals (bootstrap over groups, fixed seed), beside each
layer alone and trivial baselines.

By source: what counts is each source alone and the mean over sources. Several files are measured together.

--sessions replays the steps of each session in order, as the server scores them: with its memories of agent and
session. Steps belong together by \`session.session_id\` and are ordered by timestamp, then by position in the file.
Where an event names no session, its group is one, and a new session begins where \`preceding_actions\` does not
continue the step before.

--metamorphic changes the events and keeps their meaning: framing phrases of attack templates made plain, tool results
escaped once more, other names for the tool, the shapes of other hosts, and so on. For each change it prints recall at
high and false positives, before and after, over the records that the change applies to.

--confidence prints, for each source, how many wrong verdicts and how many honest actions have a confidence below 0.8.

--llm asks a language model about every record with a confidence below LLM_CONFIDENCE_BELOW (0.8), as the server does, and prints
how many misses it recovers, how many false alarms it adds, and what it costs, by confidence and source. It takes the model from the
settings LLM_*, and 20 records of each source and label unless --sample says otherwise. --llm oracle asks the labels instead: no model
can recover more.

--ablate takes a part of the ontology out, in memory, and prints what it adds on each source: a rule (RULE), a list
(lists/FILE:LIST), a program (programs/FILE:NAME), a table of tools (actions/tools/FILE). A file or folder (rules/FAMILY,
lists/FILE, tools) stands for each of its parts in turn, one line each.

Examples:
  weir eval labelled.jsonl.gz
  weir eval train.jsonl.gz dev.jsonl.gz --rounds 0 --slice shell=dcg,stockpile,payloads,tldr,dippy
  weir eval train.jsonl.gz dev.jsonl.gz --sessions --source minsky_cursor,se_agent
  weir eval labelled.jsonl.gz --slice injected=agentdyn,injecagent --out misses
  weir eval train.jsonl.gz dev.jsonl.gz --metamorphic --source agentdyn,injecagent --sample 0
  weir eval train.jsonl.gz dev.jsonl.gz --ablate lists/hosts:exfiltration_hosts
  weir eval train.jsonl.gz --ablate tools --sample 100
  weir eval labelled.jsonl.gz --by-rule --json > report.json
  LLM_PROVIDER=anthropic LLM_MODEL=… LLM_API_KEY=… weir eval labelled.jsonl.gz --llm --sample 10
  weir eval train.jsonl.gz dev.jsonl.gz --llm oracle
`;

export function addEval(program: Command, output: Output): void {
  program
    .command('eval')
    .description('measure the score on labelled records')
    .argument('<files...>', 'JSON lines, plain or gzip, or - for standard input')
    .addOption(new Option('--sessions', 'replay each session in order, with the memories of agent and session'))
    .addOption(
      new Option('--metamorphic', 'tell records in other words and shapes, and show what that costs').conflicts(
        'sessions',
      ),
    )
    .addOption(
      new Option('--confidence', 'show whether confidence is low where the verdict is wrong').conflicts([
        'sessions',
        'metamorphic',
      ]),
    )
    .addOption(
      new Option('--llm [who]', 'ask a language model where the rules are unsure; `oracle`: ask the labels')
        .choices(['provider', 'oracle'])
        .preset('provider')
        .conflicts(['sessions', 'metamorphic', 'confidence', 'ablate']),
    )
    .addOption(
      new Option('--ablate <name>', 'measure without a rule, list, program or table of tools; may be repeated')
        .argParser((name, before: string[] | undefined) => [...(before ?? []), name])
        .conflicts(['sessions', 'metamorphic', 'confidence']),
    )
    .addOption(
      new Option(
        '--sample <n>',
        'records of each source and label for --metamorphic (100 by default), --llm (20) and --ablate (all); 0: all',
      ).argParser(wholeNumber(0)),
    )
    .addOption(
      new Option('--source <sources>', 'only records of these sources, by commas').argParser((text) => text.split(',')),
    )
    .addOption(
      new Option('--slice <name=sources>', 'measure these sources together; may be repeated')
        .argParser(addSlice)
        .default(new Map(), 'none'),
    )
    .option('--by-rule', 'count for each rule the harmful and benign records on which it fired')
    .option('--out <dir>', 'write the report and the worst misses to this directory')
    .addOption(new Option('--misses <n>', 'misses of each label to write').argParser(wholeNumber(1)).default(100))
    .addOption(new Option('--rounds <n>', 'bootstrap draws; 0: no intervals').argParser(wholeNumber(0)).default(1000))
    .addOption(new Option('--seed <n>', 'seed of the bootstrap').argParser(wholeNumber(0)).default(1))
    .addOption(new Option('--json', 'print JSON, for programs').conflicts('markdown'))
    .option('--markdown', 'as Markdown tables, for documentation')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: EvalOptions) => {
      const { evaluateFiles } = await import('../../../tools/evaluation/evaluate-files.ts');
      await evaluateFiles(files, options, output);
    });
}

function addSlice(text: string, before: Slices): Slices {
  const [name, sources] = text.split('=');
  if (!name || !sources) throw new InvalidArgumentError('write NAME=SOURCE,SOURCE.');
  return new Map([...before, [name, sources.split(',')]]);
}

const wholeNumber =
  (minimum: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= minimum) return Number(text);
    throw new InvalidArgumentError(`write a whole number of at least ${minimum}.`);
  };
