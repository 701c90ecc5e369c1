/** `weir config`: the effective settings, secrets masked. */
import type { Command } from 'commander';
import { readSettings, type ShownSetting, showSettings } from '../../platform/settings.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';

interface EffectiveSetting extends ShownSetting {
  source: 'environment' | 'default';
}

export function addConfig(program: Command, output: Output): void {
  program
    .command('config')
    .description('print the effective settings, secrets masked')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', '\nExamples:\n  weir config\n  PORT=9000 weir config --json\n')
    .action(async (options: { json?: true }) => {
      const settings = effectiveSettings(process.env);
      await output.line(options.json ? JSON.stringify(settings, null, 2) : describe(settings));
    });
}

function effectiveSettings(env: Record<string, string | undefined>): EffectiveSetting[] {
  return showSettings(readSettings(env)).map((shown) => ({
    ...shown,
    // An empty variable counts as not set.
    source: env[shown.name] ? 'environment' : 'default',
  }));
}

function describe(settings: readonly EffectiveSetting[]): string {
  const rows = settings.map(({ name, value, source, doc, is_reserved }) => [
    name,
    value === '' ? '(not set)' : value,
    source,
    is_reserved ? `${doc} (not used in this version)` : doc,
  ]);
  return textTable(['setting', 'value', 'from', 'meaning'], rows);
}
