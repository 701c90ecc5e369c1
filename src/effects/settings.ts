/** Files of settings that let others do more than before: agents without asking, packages while they are installed. */
import type { Ontology } from '../ontology/index.ts';
import { alternatives } from '../ontology/pattern.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { listOf } from '../ontology/words.ts';

const SETTINGS_FILE = /\.(?:jsonc?|toml|ya?ml)$/i;

export const settingWords = perOntology((ontology) => {
  const words = (list: string): string => alternatives(listOf(ontology, list));
  // A hyphen, an underscore or nothing between the words: `autoApprove`, `auto-approve`.
  const names = (list: string): string => words(list).replaceAll(' ', '[-_]?');
  const sets = '\\s{0,4}[:=]\\s{0,4}';
  const switchedOn = `${names('asking_settings')}[\\w.]{0,20}["']?${sets}["']?${words('switched_on')}(?!\\w)`;
  const policyOff = `${names('asking_policies')}["']?${sets}["']${words('asking_policy_off')}["']`;
  return {
    asksNoMore: new RegExp(`${switchedOn}|["']${words('permission_modes')}["']|${policyOff}`, 'i'),
    installHook: new RegExp(`"${words('install_hooks')}"\\s{0,8}:\\s{0,8}"((?:[^"\\\\]|\\\\.){1,1000})"`, 'g'),
  };
});

/**
 * Whether this file of settings lets an agent act without asking: `"chat.tools.autoApprove": true`,
 * `approval_policy = "never"`.
 */
export function asksNoMore(path: string, text: string, ontology: Ontology): boolean {
  return SETTINGS_FILE.test(path) && settingWords(ontology).asksNoMore.test(text);
}

/** Commands that a package manager runs by itself when the package is installed. */
export function installHooks(path: string, text: string, ontology: Ontology): string[] {
  if (!/(?:^|\/)package\.json$/.test(path)) return [];
  return [...text.matchAll(settingWords(ontology).installHook)].map((m) => m[1]!.replaceAll('\\"', '"'));
}
