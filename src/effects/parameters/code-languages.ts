/** The language of code in a parameter, from the names of tool and parameter, a declaration beside it, and its shape. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../ontology/words.ts';
import type { Language } from '../world.ts';
import { dialectOfTool } from './dialects.ts';
import { rolesOf } from './parameter-roles.ts';
import {
  languageByShape,
  languageOfToolProgram,
  looksLikePython,
  looksLikeShell,
  looksLikeSql,
  looksLikeStatement,
  startsWithProgram,
} from './shapes.ts';
import type { Hints } from './tool-names.ts';

export type CodeLanguage = Exclude<Language, 'http'>;

/** Names of parameters and languages. Memoized per ontology. */
export const snippetWords = perOntology((ontology) => ({
  roleOf: rolesOf(ontology),
  language_parameters: listOf(ontology, 'language_parameters'),
  argument_parameters: listOf(ontology, 'argument_parameters'),
  languages: {
    shell: patternOf(ontology, 'code_languages', 'shell'),
    powershell: patternOf(ontology, 'code_languages', 'powershell'),
    cmd: patternOf(ontology, 'code_languages', 'cmd'),
    python: patternOf(ontology, 'code_languages', 'python'),
    javascript: patternOf(ontology, 'code_languages', 'javascript'),
    script: patternOf(ontology, 'code_languages', 'script'),
    sql: patternOf(ontology, 'code_languages', 'sql'),
  },
}));

const ENTERED = /(?:[\r\n]|\\[nr]|<(?:cr|enter)>|\{enter\})[ \t]{0,8}$/i;

/** Tells languages for the parameters of one call. */
export class CodeLanguages {
  readonly #ontology: Ontology;
  readonly #words: ReturnType<typeof snippetWords>;
  readonly #hints: Hints;

  constructor(ontology: Ontology, hints: Hints) {
    this.#ontology = ontology;
    this.#words = snippetWords(ontology);
    this.#hints = hints;
  }

  /** The language of a command line: the shell that the tool's name tells. */
  inDialect(language: CodeLanguage, code: string): CodeLanguage {
    if (language !== 'shell' || this.#hints.dialect === 'shell') return language;
    return dialectOfTool(code, this.#hints.dialect, this.#ontology);
  }

  /** The language of the text under a key; `null` for text that is not code, and for prose that only mentions code. */
  ofText(key: string, code: string, declared: string): CodeLanguage | null {
    const hints = this.#hints;
    switch (this.#words.roleOf(key)) {
      case 'shell':
        if (hints.python && looksLikePython(code, this.#ontology)) return 'python';
        if (hints.shell || (startsWithProgram(code, this.#ontology) && /\s|^\w+$/.test(code.trim())))
          return languageOfToolProgram(code, this.#ontology) ?? 'shell';
        return languageByShape(code, this.#ontology);
      case 'sql':
        if (looksLikeSql(code, this.#ontology)) return 'sql';
        return hints.sql && (key.toLowerCase() !== 'query' || looksLikeStatement(code, this.#ontology)) ? 'sql' : null;
      case 'code':
        return this.ofCode(code, declared);
      case 'carrier':
        // What is typed and ends with the enter key is a command, whatever types it.
        if (ENTERED.test(code) && looksLikeShell(code, this.#ontology)) return 'shell';
        return hints.shell || hints.python || hints.javascript || hints.runner
          ? languageByShape(code, this.#ontology)
          : null;
      case 'prose':
      case 'arguments':
      case 'url':
      case 'method':
        return null;
      default:
        return code.length < 6 || !/[\s(]/.test(code) ? null : languageByShape(code, this.#ontology);
    }
  }

  /** The language of a text that is certainly code: as declared, as the tool's name tells, else by its shape. */
  ofCode(code: string, declared: string): CodeLanguage | null {
    return this.#declaredLanguage(declared) ?? this.#hintedLanguage(code) ?? languageByShape(code, this.#ontology);
  }

  #declaredLanguage(declared: string): CodeLanguage | null {
    const { languages } = this.#words;
    if (languages.shell.test(declared)) return 'shell';
    if (languages.powershell.test(declared)) return 'powershell';
    if (languages.cmd.test(declared)) return 'cmd';
    if (languages.python.test(declared)) return 'python';
    if (languages.javascript.test(declared)) return 'javascript';
    if (languages.script.test(declared)) return 'script';
    return languages.sql.test(declared) ? 'sql' : null;
  }

  #hintedLanguage(code: string): CodeLanguage | null {
    const hints = this.#hints;
    if (hints.python) return 'python';
    if (hints.javascript) return 'javascript';
    if (hints.script && !looksLikeShell(code, this.#ontology)) return 'script';
    if (hints.shell) {
      const isPython = looksLikePython(code, this.#ontology) && !looksLikeShell(code, this.#ontology);
      return languageOfToolProgram(code, this.#ontology) ?? (isPython ? 'python' : 'shell');
    }
    return hints.sql && looksLikeStatement(code, this.#ontology) ? 'sql' : null;
  }
}
