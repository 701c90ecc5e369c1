/** The words by which a value is known to change an SQL statement, from the ontology. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';

export const sqlInjectionWords = perOntology((ontology) => {
  const grammar = tableOf(ontology, 'injected_sql');
  const calls = tableOf(ontology, 'injected_sql_calls');
  const row = (table: ReadonlyMap<string, readonly string[]>, name: string): ReadonlySet<string> =>
    new Set(table.get(name) ?? []);
  return {
    joins: row(grammar, 'joins'),
    compares: row(grammar, 'compares'),
    computes: row(grammar, 'computes'),
    prefixes: row(grammar, 'prefixes'),
    unites: row(grammar, 'unites'),
    literals: row(grammar, 'literals'),
    clauses: row(grammar, 'clauses'),
    ends: row(grammar, 'ends'),
    acts: row(calls, 'acts'),
    tells: row(calls, 'tells'),
    builds: row(calls, 'builds'),
    /** What every such value has at least one of. */
    signs: patternOf(ontology, 'injected_signs', 'sql'),
    /** Statements that are also found behind text that is no SQL. */
    torn: setOf(ontology, 'torn_statements'),
    statements: tableOf(ontology, 'injected_statements'),
    continues: tableOf(ontology, 'injected_statement_continues'),
    procedures: patternOf(ontology, 'injected_procedures', 'of_the_server'),
    catalogs: setOf(ontology, 'injected_catalogs'),
  };
});

export type SqlInjectionWords = ReturnType<typeof sqlInjectionWords>;

/** Whether a name is of the tables in which a database describes itself. */
export function isCatalog(name: string, w: SqlInjectionWords): boolean {
  if (w.catalogs.has(name)) return true;
  const dot = name.indexOf('.');
  return dot > 0 && w.catalogs.has(name.slice(0, dot));
}
