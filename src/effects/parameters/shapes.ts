/** Recognises code by its shape, for parameters whose name and tool do not say what they hold. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf, tableOf } from '../../ontology/words.ts';
import { programsOf } from '../programs/index.ts';
import type { Language } from '../world.ts';

/** Characters that suffice to recognise the language of real code. */
const HEAD = 4_000;

const SIGNS = /(?:^|\s)--?[a-zA-Z]|[|;&<>`$]|(?:^|\s)(?:~|\.{0,2})\/[\w.~/*-]|\s\*|\n/;

/** What may stand before the first program: groups, conditions, loops, assignments; that of what a command prints begins with it. */
const LEADS: readonly RegExp[] = [
  /^[{(]\s{1,16}/,
  /^\(/,
  /^(?:if|while|until|time)\s{1,16}/,
  /^coproc\s{1,16}(?:\w{1,64}\s{1,16}(?=[{(]))?/,
  /^for\s{1,8}\w{1,64}\s{1,8}in\s[^\n;]{0,400}[;\n]\s{0,16}do\s{1,16}/,
  /^[A-Za-z_]\w{0,64}=["']?\$\(\s{0,16}/,
  /^[A-Za-z_]\w{0,64}=\S{0,1000}\s{1,16}/,
];
const MAX_LEADS = 12;

/** The first word of a command after its assignments: `FOO=1 sudo rm` → `sudo`. */
function firstProgram(code: string): string {
  let rest = code.slice(0, HEAD).trimStart();
  rest = rest.slice(/^:?[$!%#>]\s{0,16}/.exec(rest)?.[0].length ?? 0);
  for (let i = 0; i < MAX_LEADS; i++) {
    const lead = LEADS.map((pattern) => pattern.exec(rest)?.[0] ?? '').find((found) => found !== '');
    if (lead === undefined) break;
    rest = rest.slice(lead.length);
  }
  const word = /^[^\s;|&<>()]{1,64}/.exec(rest)?.[0] ?? '';
  return word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

export function startsWithProgram(code: string, ontology: Ontology): boolean {
  return programsOf(ontology).has(firstProgram(code));
}

/** Grammar of the shapes of code, with words from the ontology. Memoized per ontology. */
export const codeShapes = perOntology((ontology) => {
  const source = (name: string): string => patternOf(ontology, 'code_shapes', name).source;
  const objects = tableOf(ontology, 'sql_opening_objects');
  const after = (verb: string): string => `(?:${(objects.get(verb) ?? []).join('|')})`;
  return {
    shell_interpreter: new RegExp(`^#!.*${source('shell_interpreter')}`),
    tool_program: patternOf(ontology, 'code_shapes', 'tool_program'),
    tool_program_of_javascript: patternOf(ontology, 'code_shapes', 'tool_program_of_javascript'),
    // input: at most 4_000 characters, of which each repeat reads one run
    sql: new RegExp(
      `^[\\s(;]*` +
        `(?:(select)\\b|insert\\s+(?:into|overwrite)\\s+\\S|update\\s+[\\w."\`[\\]]+\\s+(?:\\w+\\s+)?set\\s|` +
        `delete\\s+(?:[\\w.]+\\s+)?from\\s+["\`[\\w]|drop\\s+${after('drop')}\\s|` +
        `truncate\\s+(?:table\\s+)?["\`[\\w.]+\\s*(?:;|$|,|cascade|restart)|alter\\s+${after('alter')}\\s|` +
        `create\\s+(?:or\\s+replace\\s+|temp\\w*\\s+|unique\\s+|materialized\\s+)?${after('create')}\\s|` +
        `grant\\s[\\w\\s,*.]+\\s(?:on|to)\\s|revoke\\s[\\w\\s,*.]+\\s(?:on|from)\\s|` +
        `with\\s+(?:recursive\\s+)?["\\w]+\\s*(?:\\([^)]*\\)\\s*)?as\\s*\\(|merge\\s+into\\s|` +
        `copy\\s+["\\w(].*\\s(?:to|from)\\s|exec(?:ute)?\\s+(?:immediate|xp_|sp_|\\w+\\.)|show\\s+${after('show')}|` +
        `describe\\s+["\`\\w.]+\\s*(?:;\\s*)?$|explain\\s+(?:\\([^)]{0,80}\\)\\s*|analy[sz]e\\s+|verbose\\s+){0,3}(?:select|with|delete\\s+from|update|insert\\s+into|merge\\s+into)\\s|` +
        `export\\s+data\\s+options|unload\\s*\\(|copy\\s+into\\s|pragma\\s+\\w|set\\s+${after('set')}\\s|` +
        `declare\\s+@\\w|set\\s+@\\w{1,64}\\s*:?=|exec(?:ute)?\\s*\\(|do\\s+\\$\\w{0,16}\\$|purge\\s+binary)`,
      'i',
    ),
    /** Told from prose by its first word only where a tool is known to take SQL. */
    statement: new RegExp(
      `^[\\s(;]{0,64}(${listOf(ontology, 'sql_first_words').join('|')})\\b\\s{0,4}(\\S{0,200})`,
      'i',
    ),
    determiners: patternOf(ontology, 'code_shapes', 'determiners'),
    frame: patternOf(ontology, 'sql_frames', 'statement'),
    /** Most texts are no SQL: only those with such a sign are read letter by letter. */
    may_be_framed: patternOf(ontology, 'sql_frames', 'sign'),
    // input: at most 4_000 characters, of which each repeat reads one run
    python: new RegExp(
      `^[ \\t]*(?:import\\s+[\\w.]+(?:\\s+as\\s+\\w+)?(?:\\s*,\\s*[\\w.]+)*\\s*(?:$|;|#)|from\\s+[\\w.]+\\s+import\\s|` +
        `(?:async\\s+)?def\\s+\\w+\\s*\\(|class\\s+\\w+[^\\n]*:\\s*$|with\\s+open\\(|for\\s[\\w, \\t]{1,200}\\sin\\s[^\\n]*:\\s*$|` +
        `while\\s[^\\n]*:\\s*$|try:\\s*$|elif\\s|print\\s*\\(|[\\w.]+\\s*=\\s*(?:open|__import__)\\(|` +
        `${source('python_calls')})`,
      'm',
    ),
    python_first_words: patternOf(ontology, 'code_shapes', 'python_first_words'),
    // input: at most 4_000 characters, of which each repeat reads one run
    javascript: new RegExp(
      `(?:^|[;{}(])[ \\t]*(?:const|let|var)[ \\t]+[\\w{[]|=>|\\brequire[ \\t]*\\([ \\t]*['"]|` +
        `^[ \\t]*import\\s[^\\n]*\\bfrom\\s+['"]|\\bfunction\\w{0,64}[ \\t]*(?:\\w{1,64}[ \\t]*)?\\(|\\bconsole\\.\\w+\\(|` +
        `${source('page_and_process')}|^[ \\t]*(?:await[ \\t]+)?fetch\\(|\\beval\\(`,
      'm',
    ),
  };
});

/** Whether the text begins with a known program and contains an option, a path, a pipe or another sign of a shell. */
export function looksLikeShell(code: string, ontology: Ontology): boolean {
  const head = code.slice(0, HEAD);
  if (codeShapes(ontology).shell_interpreter.test(head)) return true;
  return /\S[\s|;&]\S/.test(head) && startsWithProgram(head, ontology) && SIGNS.test(head.trim());
}

/** What a database runs of its own comments: `/*!50000 DROP TABLE x *\/`. */
const RUN_COMMENT = /^\/\*!\d{0,6}/;
const LINE_COMMENT = /^(?:--|#(?=\s|$))/;

/** The head of a text without the comments of SQL, which may stand wherever white space may, and with single blanks. */
function withoutComments(code: string): string {
  let head = '';
  for (let i = 0; i < code.length && head.length < HEAD; ) {
    const c = code[i]!;
    const runs = c === '/' ? RUN_COMMENT.exec(code.slice(i, i + 9))?.[0] : undefined;
    if (runs !== undefined) i += runs.length;
    else if (code.startsWith('/*', i)) {
      i = endOf(code, '*/', i + 2);
      head += ' ';
    } else if (code.startsWith('*/', i)) i += 2;
    else if (LINE_COMMENT.test(code.slice(i, i + 2))) {
      i = endOf(code, '\n', i);
      head += '\n';
    } else if (c === "'") {
      const end = endOf(code, "'", i + 1);
      head += code.slice(i, Math.min(end, i + HEAD));
      i = end;
    } else if (/\s/.test(c)) {
      const isOpen = head === '' || head.endsWith('\n');
      if (c === '\n' && !isOpen) head = `${head.trimEnd()}\n`;
      else if (!isOpen && !head.endsWith(' ')) head += ' ';
      i++;
    } else {
      head += c;
      i++;
    }
  }
  return head;
}

/** Where the text goes on behind the next sign; its end where there is none. */
function endOf(code: string, sign: string, from: number): number {
  const at = code.indexOf(sign, from);
  return at < 0 ? code.length : at + sign.length;
}

const MAX_FRAMES = 16;

/** Without the statements that frame the others. */
function withoutFrames(code: string, ontology: Ontology): string {
  const { frame } = codeShapes(ontology);
  let rest = code;
  for (let i = 0; i < MAX_FRAMES; i++) {
    const found = frame.exec(rest)?.[0];
    if (found === undefined) break;
    rest = rest.slice(found.length);
  }
  return rest;
}

/** Whether the text begins like a statement. English that begins with “select” is recognised by its word order. */
export function looksLikeSql(code: string, ontology: Ontology): boolean {
  const { sql, determiners, may_be_framed } = codeShapes(ontology);
  const start = code.slice(0, HEAD);
  const head = sql.test(start) || !may_be_framed.test(start) ? start : withoutFrames(withoutComments(code), ontology);
  const m = sql.exec(head);
  if (m === null) return false;
  if (m[1] === undefined) return true;
  const verb = /\bselect\b\s{1,64}(?:distinct\s{1,64}|all\s{1,64}|top\s{1,64}\d{1,16}\s{1,64})?/i.exec(head);
  const rest = verb === null ? '' : head.slice(verb.index + verb[0].length);
  const from = /\bfrom\b/i.exec(rest);
  const selected = from === null ? rest : rest.slice(0, from.index);
  const columns = selected.split(',');
  const isPlain = columns.every(
    (c) => /[(*'"`.\d]/.test(c) || c.trim().split(/\s+/).length <= (/\bas\b/i.test(c) ? 3 : 2),
  );
  return (
    isPlain &&
    (from === null
      ? /[(*'"\d@]/.test(selected)
      : !determiners.test(rest.slice(from.index + from[0].length).trimStart()))
  );
}

/** Whether a text that a database is handed is a statement: it begins with the word of one, and not like a sentence. */
export function looksLikeStatement(code: string, ontology: Ontology): boolean {
  if (looksLikeSql(code, ontology)) return true;
  const plain = withoutComments(code);
  const bare = withoutFrames(plain, ontology);
  // A block that calls a procedure without a word for it: `BEGIN DBMS_SCHEDULER.RUN_JOB('x'); END;`.
  if (bare !== plain && /^\s{0,64}\w{1,64}\.\w{1,64}(?:\.\w{1,64})?\s{0,8}\(/.test(bare)) return true;
  const [opening = '', verb = '', next = ''] = codeShapes(ontology).statement.exec(bare) ?? [];
  const rest = bare.slice(opening.length);
  if (verb === '' || next === '') return false;
  if (verb === verb.toUpperCase()) return true;
  const isPair = rest.trim().replace(/;$/, '') === '';
  return (isPair || /[()'"`;=[\]_]/.test(next + rest)) && !codeShapes(ontology).determiners.test(next);
}

export function looksLikePython(code: string, ontology: Ontology): boolean {
  return codeShapes(ontology).python.test(code.slice(0, HEAD));
}

export function looksLikeJavascript(code: string, ontology: Ontology): boolean {
  return codeShapes(ontology).javascript.test(code.slice(0, HEAD));
}

/** A long program without what its texts say: a patch of many pages may stand before the call that it is handed to. */
function withShortTexts(code: string): string {
  if (code.length <= HEAD || !code.includes('await')) return code;
  let short = '';
  for (let i = 0; i < code.length && short.length < HEAD; i++) {
    const c = code[i]!;
    short += c;
    if (c !== '"' && c !== "'" && c !== '`') continue;
    const from = i;
    for (i++; i < code.length && code[i] !== c && (c === '`' || code[i] !== '\n'); i++) if (code[i] === '\\') i++;
    // A quotation mark that nothing closes in its line is one of a comment.
    if (code[i] === c) short += c;
    else i = from;
  }
  return short;
}

/** The language of a program that calls tools of its host and waits for them, whatever the tool that runs it is called; else `null`. */
export function languageOfToolProgram(code: string, ontology: Ontology): 'python' | 'javascript' | null {
  const { tool_program, tool_program_of_javascript } = codeShapes(ontology);
  const head = withShortTexts(code).slice(0, HEAD);
  if (!head.includes('await') || !tool_program.test(head)) return null;
  return tool_program_of_javascript.test(head) ? 'javascript' : 'python';
}

/** The language that the text looks like; `null` when it looks like none. */
export function languageByShape(code: string, ontology: Ontology): Exclude<Language, 'http'> | null {
  if (/^#!.*\bpython/.test(code)) return 'python';
  if (/^#!.*\bnode\b/.test(code)) return 'javascript';
  if (looksLikeSql(code, ontology)) return 'sql';
  const program = languageOfToolProgram(code, ontology);
  if (program !== null) return program;
  // `import` is a program as well: a text that also looks like Python is shell only if it does not begin like Python.
  const isPython = looksLikePython(code, ontology);
  if (looksLikeShell(code, ontology) && !(isPython && startsAsPython(code, ontology))) return 'shell';
  const isJavascript = looksLikeJavascript(code, ontology);
  if (isPython && isJavascript)
    return /^[ \t]{0,64}(?:import[ \t]{1,64}\w{1,128}[ \t]{0,64}$|from\s|def\s)/m.test(code) ? 'python' : 'javascript';
  return isPython ? 'python' : isJavascript ? 'javascript' : null;
}

function startsAsPython(code: string, ontology: Ontology): boolean {
  return codeShapes(ontology).python_first_words.test(code.trimStart()) && !code.startsWith('#!');
}
