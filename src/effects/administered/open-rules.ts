/**
 * Rules of firewalls among parameters that let anybody in everywhere, `{ type: "pass", source: "any", destination: "any" }`, or to a
 * service by which machines are administered, `{ action: "allow", source: "0.0.0.0/0", port: 22 }`.
 */
import { type Leaf, type ParameterWalk, parentOf } from '../../events/parameters.ts';
import { singularsOf, snakeCase } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';

const words = perOntology((ontology) => ({
  holders: setOf(ontology, 'rule_holders'),
  verdict_names: setOf(ontology, 'rule_verdict_names'),
  verdicts: setOf(ontology, 'device_verdicts'),
  sources: setOf(ontology, 'rule_sources'),
  targets: setOf(ontology, 'rule_targets'),
  ports: setOf(ontology, 'rule_ports'),
  any: setOf(ontology, 'rule_any'),
  administered: setOf(ontology, 'administered_ports'),
}));

const MAX_LEAVES = 200;
const MAX_VALUE = 40;

/** What a call that makes such a rule opens, as the object of an effect; '' if it makes none. */
export function ruleOpenToAll(name: string, walk: ParameterWalk, ontology: Ontology): string {
  const known = words(ontology);
  const about = singularsOf(name.replace(/[^\w]+/g, '_'));
  if (!about.some((word) => known.holders.has(word))) return '';
  const rules = new Map<string, Map<string, string[]>>();
  for (const leaf of walk.leaves.slice(0, MAX_LEAVES)) addTo(rules, leaf);
  return [...rules.values()].some((rule) => opensAll(rule, known)) ? OPENED : '';
}

const OPENED = 'firewall/any';

/** The values of a record by their names; those of a list belong to the record that holds the list. */
function addTo(rules: Map<string, Map<string, string[]>>, { path, value }: Leaf): void {
  const of_record = path.replace(/\[\d{1,6}\]$/, '');
  const record = parentOf(of_record);
  const rule = rules.get(record) ?? new Map<string, string[]>();
  const key = snakeCase(of_record.slice(of_record.lastIndexOf('.') + 1));
  rule.set(key, [...(rule.get(key) ?? []), String(value).slice(0, MAX_VALUE).toLowerCase().trim()]);
  rules.set(record, rule);
}

function opensAll(rule: ReadonlyMap<string, readonly string[]>, known: ReturnType<typeof words>): boolean {
  const isAny = (value: string): boolean => known.any.has(value);
  const valuesOf = (names: ReadonlySet<string>): string[] =>
    [...rule].flatMap(([name, values]) => (names.has(name) ? [...values] : []));
  const verdicts = valuesOf(known.verdict_names);
  if (!verdicts.some((value) => known.verdicts.has(value))) return false;
  const [sources, targets, ports] = [known.sources, known.targets, known.ports].map(valuesOf) as [
    string[],
    string[],
    string[],
  ];
  if (!sources.some(isAny) || !targets.every(isAny)) return false;
  return ports.some((port) => known.administered.has(port)) || (targets.length > 0 && ports.every(isAny));
}
