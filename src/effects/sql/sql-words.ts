/** The words of `ontology/lists/sql-statements.yaml` as sets and patterns. */
import { OntologyError } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, patternOf, tableOf } from '../../ontology/words.ts';

/** Memoized per ontology. */
export const sqlWords = perOntology((ontology) => {
  const row = (table: string, name: string): readonly string[] => {
    const words = tableOf(ontology, table).get(name);
    if (words === undefined) throw new OntologyError([`lists: the table \`${table}\` has no row \`${name}\``]);
    return words;
  };
  const objects = (name: string): ReadonlySet<string> => new Set(row('sql_objects', name));
  const pattern = (group: string) => (name: string) => patternOf(ontology, group, name);
  const [tables, columns, procedures] = [pattern('sql_tables'), pattern('sql_columns'), pattern('sql_procedures')];
  const [calls, settings] = [pattern('sql_calls'), pattern('sql_settings')];
  return {
    /** Kinds of objects, in capitals, by the effect of creating, altering or removing one. */
    objects: {
      stores: objects('stores'),
      accounts: objects('accounts'),
      alterable_accounts: objects('alterable_accounts'),
      guards: objects('guards'),
      remade: objects('remade'),
      triggers: objects('triggers'),
      code: objects('code'),
      other_servers: objects('other_servers'),
      switchable: objects('switchable'),
    },
    /** First words of statements, in capitals, that change no row: how data are stored, or only the session. */
    statements: {
      maintenance: new Set(row('sql_statements', 'maintenance')),
      session: new Set(row('sql_statements', 'session')),
    },
    clauses: {
      begin_after_condition: new Set(row('sql_clauses', 'begin_after_condition')),
      limit: new Set(row('sql_clauses', 'limit')),
      before_name: new Set(row('sql_clauses', 'before_name')),
      ends_value: new Set(row('sql_clauses', 'ends_value')),
      executes_text: new Set(row('sql_clauses', 'executes_text')),
      locks: new Set(row('sql_clauses', 'locks')),
      guard_deeds: new Set(row('sql_clauses', 'guard_deeds')),
      told_deeds: new Set(row('sql_clauses', 'told_deeds')),
      joins_queries: new Set(row('sql_clauses', 'joins_queries')),
      before_grantee: row('sql_clauses', 'before_grantee'),
    },
    /** Words that may stand between the verb and the kind of object. */
    modifiers: {
      create: new Set(row('sql_modifiers', 'create')),
      drop: new Set(row('sql_modifiers', 'drop')),
    },
    /** An ALTER that contains all words of one entry changes rights. */
    altered_rights: row('sql_rights', 'in_alterations').map((entry) => entry.split(' ')),
    account_rights: new Set(row('sql_rights', 'of_accounts')),
    looking_rights: new Set(row('sql_rights', 'looking')),
    public_accounts: new Set(row('sql_rights', 'public_accounts')),
    unprotected_code: new Set(row('sql_rights', 'stored_code')),
    wide_grants: patternOf(ontology, 'sql_grants', 'wide'),
    functions: {
      end_sessions: new Set(row('sql_functions', 'end_sessions')),
      wait: new Set(row('sql_functions', 'wait')),
      run: calls('run'),
      read_file: calls('read_file'),
      write_file: calls('write_file'),
      connect: calls('connect'),
      machine: calls('machine'),
      changes: calls('changes'),
      settings: calls('settings'),
      run_text: calls('run_text'),
    },
    procedures: {
      commands: procedures('commands'),
      guards: procedures('guards'),
      memberships: procedures('memberships'),
      looks: procedures('looks'),
    },
    tables: {
      temporary: tables('temporary'),
      logs: tables('logs'),
      backups: tables('backups'),
      accounts: tables('accounts'),
      people: tables('people'),
    },
    columns: {
      keys: columns('keys'),
      rights: columns('rights'),
      roles: columns('roles'),
      secrets: columns('secrets'),
      personal: columns('personal'),
    },
    /** Language of stored code → how its body is read. */
    code_languages: inverseOf(ontology, 'sql_code_languages'),
    jobs: {
      makes: patternOf(ontology, 'sql_jobs', 'makes'),
      runs_programs: patternOf(ontology, 'sql_jobs', 'runs_programs'),
    },
    values: { high_rights: patternOf(ontology, 'sql_values', 'high_rights') },
    settings: {
      logs_off: settings('logs_off'),
      log_removals: settings('log_removals'),
      log_names: settings('log_names'),
      guards_off: settings('guards_off'),
      recovery_off: settings('recovery_off'),
      commands: settings('commands'),
      checks_off: settings('checks_off'),
    },
    /** Matches the beginning of a statement in a string that a block executes. */
    statement_opening: patternOf(ontology, 'sql_openings', 'in_strings'),
  };
});

export type SqlWords = ReturnType<typeof sqlWords>;
