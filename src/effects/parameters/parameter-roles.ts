/** What a parameter's name says about the text in it. */
import { remembering } from '../../lang/remember.ts';

/**
 * shell, code, sql: code by name. carrier: what a tool that runs code is given to run, and prose elsewhere. prose: never
 * code. arguments: words of a command, or parameters inside parameters. other: code when it looks like it.
 */
export type Role =
  | 'shell'
  | 'code'
  | 'sql'
  | 'carrier'
  | 'prose'
  | 'arguments'
  | 'url'
  | 'method'
  | 'payload'
  | 'other';

const ROLES = new Map<string, Role>();
const name = (role: Role, keys: string): void => {
  for (const key of keys.split(' ')) ROLES.set(key, role);
};
name(
  'shell',
  'command cmd commands cmds shell bash sh shell_command command_line commandline cmdline bash_command terminal_command powershell run exec script_content',
);
name(
  'code',
  'code source source_code script python python_code javascript js js_code snippet code_snippet program cell cell_source expression function func pagefunction input code_string content_to_run test_code',
);
name('sql', 'sql sql_query query statement sql_statement statements queries raw_sql');
name('carrier', 'text content body keys keystrokes stdin data chars line lines');
name('payload', 'payload json form files');
name('method', 'method http_method verb');
name('arguments', 'args argv arguments parameters params tool_input tool_args kwargs');
name('url', 'url uri endpoint href link target_url webhook_url callback_url request_url api_url');
name(
  'prose',
  'message description subject title summary note notes comment comments prompt reason instruction instructions question answer caption bio name address email to cc bcc from recipient label labels tag tags category topic task goal thought thoughts reasoning explanation user_context feedback review reply html markdown status search_term keyword keywords search city location country date time id user_id username password token',
);

/** Role of a key as written. */
export const roleOf: (key: string) => Role = remembering((key) => ROLES.get(key.toLowerCase()) ?? 'other');
