/** Files of settings that let others do more than before: agents without asking, packages while they are installed. */

const SETTINGS_FILE = /\.(?:jsonc?|toml|ya?ml)$/i;
/** `"chat.tools.autoApprove": true`, `approval_policy = "never"`: an agent's permissions, switched to no questions. */
const ASKS_NO_MORE =
  /(?:auto[-_]?approv(?:e|al)|auto[-_]?run|auto[-_]?accept|yolo(?:[-_]?mode)?|skip[-_]?permissions|always[-_]?allow)[\w.]{0,20}["']?\s{0,4}[:=]\s{0,4}["']?(?:true|always|all|on|yes|\*)(?!\w)|["'](?:bypassPermissions|danger-full-access)["']|approval[-_]?(?:policy|mode)["']?\s{0,4}[:=]\s{0,4}["'](?:never|full-auto|yolo)["']/i;
const INSTALL_HOOK = /"(?:pre|post)?install"\s{0,8}:\s{0,8}"((?:[^"\\]|\\.){1,1000})"/g;

/** Does this file of settings let an agent act without asking? */
export function asksNoMore(path: string, text: string): boolean {
  return SETTINGS_FILE.test(path) && ASKS_NO_MORE.test(text);
}

/** Commands that a package manager runs by itself when the package is installed. */
export function installHooks(path: string, text: string): string[] {
  if (!/(?:^|\/)package\.json$/.test(path)) return [];
  return [...text.matchAll(INSTALL_HOOK)].map((m) => m[1]!.replaceAll('\\"', '"'));
}
