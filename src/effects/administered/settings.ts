/**
 * Settings that destroy, open or weaken what many share by their value alone: `retention.ms=1`, `{"bruteForceProtected": false}`,
 * `--no-versioning`, and silences that match every alert. A command line, the body of a request and the parameters of a call are read
 * alike, as a text of names and values.
 */
import type { Ontology } from '../../ontology/index.ts';
import { alternatives } from '../../ontology/pattern.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, listOf, patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import type { World } from '../world.ts';

/** Characters of one text that are read. */
const MAX_TEXT = 16_000;
/** Shorter periods leave nothing of what was kept, in milliseconds. */
const BRIEF = 3_600_000;
const FEW_BYTES = 16 * 1024 * 1024;
const FEW = 10;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const SIZES: Readonly<Record<string, number>> = { k: 1_024, m: 1_024 ** 2, g: 1_024 ** 3, t: 1_024 ** 4 };

/** Between a name and its value: `=`, `:`, a blank, or the name of the value in a list of pairs. */
const BETWEEN = `["'\\\\]{0,3}(?:\\s{0,4}[=:]\\s{0,4}|\\s{1,4}|,\\s{0,4}(?:\\\\?["']\\w{1,16}\\\\?["']\\s{0,4}:\\s{0,4}\\{\\s{0,4})?\\\\?["']value\\\\?["']\\s{0,4}:\\s{0,4})["'\\\\]{0,3}`;
const NAME = '(?<![\\w.$-])(?:--?|/)?';

/** The settings of a table that count in a text, as patterns. */
interface Settings {
  kept: readonly { unit: string; setting: RegExp }[];
  off: RegExp;
  opening: RegExp;
}

export const administeredSettings = perOntology((ontology) => {
  const common = setOf(ontology, 'common_settings');
  return {
    /** On the command lines of administrators, and elsewhere, where common words name anything. */
    line: settingsOf(ontology, () => true),
    elsewhere: settingsOf(ontology, (name) => !common.has(name)),
    forever: new Set(listOf(ontology, 'kept_forever').map((name) => name.toLowerCase())),
    statements: [patternOf(ontology, 'kept_briefly', 'statement'), patternOf(ontology, 'kept_briefly', 'period')],
    expiring: anyOf(ontology, 'expiring_fields'),
    passing: new RegExp(`(?<![a-z])${alternatives(listOf(ontology, 'passing_things'))}(?![a-z])`, 'i'),
    making: anyOf(ontology, 'making'),
    silencing: patternOf(ontology, 'silences', 'silencing'),
    everything: patternOf(ontology, 'silences', 'everything'),
    emptied: anyOf(ontology, 'emptied'),
  };
});

function settingsOf(ontology: Ontology, counts: (name: string) => boolean): Settings {
  const kept = tableOf(ontology, 'kept_settings');
  const guards = tableOf(ontology, 'guard_settings');
  const values = tableOf(ontology, 'guard_values');
  const named = (table: ReadonlyMap<string, readonly string[]>, row: string): string =>
    alternatives((table.get(row) ?? []).filter(counts));
  const off = `(?:${alternatives(values.get('off') ?? [])}(?![\\w.-])|(?<=["'])["'])`;
  const on = `${alternatives(values.get('on') ?? [])}(?![\\w.-])`;
  const opening = named(guards, 'opening');
  const numbered = `(?<value>\\d{1,15})(?<unit>[a-z]{0,7})(?![\\w.])`;
  return {
    kept: [...kept.keys()]
      .filter((unit) => kept.get(unit)!.some(counts))
      .map((unit) => ({
        unit,
        setting: new RegExp(`${NAME}(?<name>${named(kept, unit)})${BETWEEN}${numbered}`, 'gi'),
      })),
    off: new RegExp(
      `${NAME}(?:${named(guards, 'off')}${BETWEEN}${off}|${named(guards, 'number')}${BETWEEN}0(?![\\w.]))|` +
        `(?<![\\w-])--no-(?:enable-)?(?:${named(guards, 'off')}|enabled)(?=\\s|$)`,
      'i',
    ),
    opening: new RegExp(`${NAME}${opening}${BETWEEN}${on}|(?<![\\w-])--${opening}(?=\\s{1,4}-|\\s{0,4}$)`, 'i'),
  };
}

/** A name whose value is a switch or a number names no thing: `"is_test": true`. */
const SWITCH = /["'][\w.-]{1,64}["']:\s{0,4}(?:true|false|null|\d{1,20})(?![\w.])/g;

/** Objects of effects that a request may name. */
const ALL_ALERTS = 'alerts of everything';

/** How a text is read. */
export interface Reading {
  /** What the call or request does and to what, where the text does not say it. */
  named?: string;
  /** The text is the command line of an administrator, on which everyday words name settings. */
  isLine?: boolean;
}

/** Notes what the settings in a text do to a service. */
export function noteAdministeredSettings(
  world: World,
  given: string,
  excerpt: string,
  { named = '', isLine = false }: Reading = {},
): void {
  const text = given.slice(0, MAX_TEXT);
  const words = administeredSettings(world.ontology);
  const whole = `${named} ${text}`;
  const isMaking = words.making.test(isLine ? whole : named === '' ? text : named.replace(/[:_/]+/g, ' '));
  const settings = isLine ? words.line : words.elsewhere;
  const isPassing = (): boolean => words.passing.test(whole.replace(SWITCH, ' '));
  const brief = briefSetting(text, settings, world.ontology);
  if (brief !== '' && !isMaking && !isPassing()) destroyForGood(world, 'many', brief, excerpt);
  const emptied = words.emptied.exec(text)?.[0];
  if (emptied !== undefined && !isPassing()) destroyForGood(world, 'everything', emptied, excerpt);
  const weakened = settings.off.exec(text)?.[0] ?? settings.opening.exec(text)?.[0];
  if (weakened !== undefined && !isMaking) world.add('tampers_with_guards', 'one', weakened, excerpt);
  if (words.silencing.test(isLine ? whole : named) && words.everything.test(text))
    world.add('tampers_with_guards', 'everything', ALL_ALERTS, excerpt);
}

/** The setting by which next to nothing is kept; '' when there is none. */
function briefSetting(text: string, { kept }: Settings, ontology: Ontology): string {
  const { forever, statements, expiring } = administeredSettings(ontology);
  for (const { unit, setting } of kept)
    for (const { 0: found, groups } of text.matchAll(setting)) {
      const number = Number(groups?.['value']);
      const name = groups?.['name']?.toLowerCase() ?? '';
      if ((number === 0 && forever.has(name)) || expiring.test(text)) continue;
      if (isLittle(number, unit, groups?.['unit']?.toLowerCase() ?? '')) return found;
    }
  for (const statement of statements) {
    const { 0: found = '', groups } = statement.exec(text) ?? {};
    if (found !== '' && isLittle(Number(groups?.['value']), 's', (groups?.['unit'] ?? 's')[0]!.toLowerCase()))
      return found;
  }
  return '';
}

/** Whether a number with the unit of its setting, or with one of its own, is next to nothing. */
function isLittle(number: number, unit: string, own: string): boolean {
  if (unit === 'count') return number <= FEW;
  if (unit === 'bytes') return number * (SIZES[own[0] ?? ''] ?? 1) < FEW_BYTES;
  const factor = UNITS[own] ?? UNITS[own[0] ?? ''] ?? UNITS[unit];
  return factor !== undefined && number * factor <= BRIEF;
}
