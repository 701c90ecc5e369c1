/**
 * What hosts write into messages of the user: reminders, the state of the workspace, outputs of commands, marks of slash
 * commands. None of it is the user's word, and outputs are results like those of any tool.
 */

/** How a tag of a host is taken: left out with its text, a result, or only its marks are left out. */
type Taken = 'left-out' | 'result' | 'unwrapped';

const TAGS: ReadonlyMap<string, Taken> = new Map<string, Taken>([
  // Claude Code
  ['system-reminder', 'left-out'],
  ['local-command-caveat', 'left-out'],
  ['command-message', 'left-out'],
  ['ide_opened_file', 'left-out'],
  ['user-prompt-submit-hook', 'left-out'],
  ['command-name', 'unwrapped'],
  ['command-args', 'unwrapped'],
  ['bash-input', 'unwrapped'],
  ['local-command-stdout', 'result'],
  ['local-command-stderr', 'result'],
  ['bash-stdout', 'result'],
  ['bash-stderr', 'result'],
  ['task-notification', 'result'],
  ['ide_selection', 'result'],
  // What a watched pull request says, and what other agents report: strangers write there.
  ['ci-monitor-event', 'result'],
  ['github-webhook-activity', 'result'],
  ['teammate-message', 'result'],
  ['cross-session-message', 'result'],
  // Codex
  ['environment_context', 'left-out'],
  ['user_instructions', 'left-out'],
  ['turn_aborted', 'left-out'],
  // The text of a skill that the user names, which the host puts in as a message of its own.
  ['skill', 'left-out'],
  ['subagent_notification', 'result'],
  ['INSTRUCTIONS', 'left-out'],
  // Cursor
  ['user_query', 'unwrapped'],
  ['system_reminder', 'left-out'],
  ['user_info', 'left-out'],
  ['project_layout', 'left-out'],
  ['open_and_recently_viewed_files', 'left-out'],
  ['git_status', 'left-out'],
  ['attached_files', 'result'],
]);
/** An element of some tags has attributes: `<teammate-message teammate_id="2">`. */
const OPENING = new RegExp(`<(${[...TAGS.keys()].join('|')})(?: [^<>\\n]{0,500})?>`, 'g');
/** Lines of the host that stand alone: before the instructions of a workspace, and where the user stopped the agent. */
const LONE_LINE =
  /^(?:# AGENTS\.md instructions(?: for [^\n]{0,4096})?|\[Request interrupted by user[^\n\]]{0,200}\])$/gm;

/** How Claude Code begins the summary of a session that had become too long; not every way in which a session is kept marks it. */
const SUMMARY = /^\s*This session is being continued from a previous conversation that ran out of context\./;

/** Whether a message of the user is a summary, which the host's model wrote of everything that it had read. */
export function isSummary(content: unknown): boolean {
  const first = Array.isArray(content) ? (content[0] as { text?: unknown } | undefined)?.text : content;
  return typeof first === 'string' && SUMMARY.test(first);
}

export interface UserText {
  /** The user's own words. */
  said: string;
  results: string[];
}

/** A text of a message of the user, by who wrote it. A tag that is not closed stays. */
export function readUserText(text: string): UserText {
  const kept: string[] = [];
  const results: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found !== null; found = OPENING.exec(text)) {
    const [opening, tag] = found as unknown as [string, string];
    const closing = `</${tag}>`;
    const end = unclosed.has(tag) ? -1 : text.indexOf(closing, found.index);
    if (end === -1) {
      // Nor is any later one of this tag closed, but others may be.
      unclosed.add(tag);
      continue;
    }
    const inner = text.slice(found.index + opening.length, end).trim();
    const taken = TAGS.get(tag);
    kept.push(text.slice(from, found.index));
    if (taken === 'unwrapped') kept.push(`${inner} `);
    if (taken === 'result' && inner !== '') results.push(inner);
    from = end + closing.length;
    OPENING.lastIndex = from;
  }
  const said = (kept.join('') + text.slice(from)).replace(LONE_LINE, '').trim();
  return { said, results };
}
