/** `actions/` and the reading of tool names: verbs, domains, resource types, agent types, tools. */
import type { Files } from './files.ts';
import { putOnce, type Row } from './row.ts';
import type { DomainEntry, Ontology, ScopeEntry, ToolEntry, VerbEntry } from './terms.ts';

type Verbs = Pick<Ontology, 'verbs' | 'group_danger_order'>;

export function readVerbs(files: Files): Verbs {
  const file = files.one('actions/verbs.yaml');
  const groups = new Map<string, string>();
  for (const row of file.rows('groups', 'group')) {
    putOnce(groups, row.text('group'), row.text('description'), row);
    row.done();
  }
  const verbs = new Map<string, VerbEntry>();
  for (const row of file.rows('verbs', 'verb')) {
    const entry: VerbEntry = {
      verb: row.text('verb'),
      group: row.text('group'),
      reversibility: row.integer('reversibility', 0, 4),
      blast_radius: row.integer('blast_radius', 0, 4),
      base_risk: row.integer('base_risk', 0, 100),
      reason: row.text('reason'),
    };
    row.done();
    if (!groups.has(entry.group)) row.problems.add(row.where, `the group \`${entry.group}\` is not one of \`groups\``);
    putOnce(verbs, entry.verb, entry, row);
  }
  file.done();
  for (const group of groups.keys()) {
    if (![...verbs.values()].some((verb) => verb.group === group))
      file.problems.add(file.where, `the group \`${group}\` has no verb`);
  }
  return { verbs, group_danger_order: [...groups.keys()] };
}

function readScopes(row: Row, classes: Ontology['data_classes']): Map<string, ScopeEntry> {
  const scopes = new Map<string, ScopeEntry>();
  for (const [name, scope] of row.rowMap('scopes')) {
    scopes.set(name, {
      sensitivity: scope.integer('sensitivity', 0, 4),
      implied_class: readClass(scope, 'implied_class', classes),
    });
    scope.done();
  }
  return scopes;
}

/** A field that names a data class. */
export function readClass(row: Row, field: string, classes: Ontology['data_classes']): string {
  const name = row.text(field);
  if (!classes.has(name))
    row.problems.add(row.where, `\`${field}\` is the unknown class \`${name}\`; see data/classes.yaml`);
  return name;
}

export function readDomains(files: Files, classes: Ontology['data_classes']): Map<string, DomainEntry> {
  const file = files.one('actions/domains.yaml');
  const canonical = new Map<string, DomainEntry>();
  const rows = file.rows('domains', 'domain');
  for (const row of rows) {
    const entry: DomainEntry = {
      domain: row.text('domain'),
      description: row.text('description'),
      default_sensitivity: row.integer('default_sensitivity', 0, 4),
      implied_class: readClass(row, 'implied_class', classes),
      aliases: row.texts('aliases'),
      usual_companions: row.texts('usual_companions'),
      scopes: readScopes(row, classes),
    };
    row.done();
    putOnce(canonical, entry.domain, entry, row);
  }
  file.done();
  const domains = new Map(canonical);
  for (const row of rows) {
    for (const companion of row.texts('usual_companions')) {
      if (!canonical.has(companion))
        row.problems.add(row.where, `\`usual_companions\` has the unknown domain \`${companion}\``);
    }
    for (const alias of row.texts('aliases')) addAlias(alias, row, canonical, domains);
  }
  return domains;
}

/** Refuses an alias that is also a domain, because it would never be looked up as an alias. */
function addAlias(
  alias: string,
  row: Row,
  canonical: ReadonlyMap<string, DomainEntry>,
  domains: Map<string, DomainEntry>,
): void {
  const taken = domains.get(alias)?.domain;
  if (taken !== undefined) row.problems.add(row.where, `the alias \`${alias}\` already means the domain \`${taken}\``);
  else domains.set(alias, canonical.get(row.text('domain'))!);
}

export function readResourceTypes(files: Files): ReadonlyMap<string, number> {
  const file = files.one('actions/resources.yaml');
  const types = file.integerMap('resource_types', 0, 4);
  file.done();
  return types;
}

export function readAgentTypes(files: Files, domains: Ontology['domains']): ReadonlyMap<string, readonly string[]> {
  const file = files.one('actions/agent-types.yaml');
  const types = file.textsMap('agent_types');
  file.done();
  for (const [type, usual] of types) {
    for (const name of usual) {
      if (domains.get(name)?.domain !== name)
        file.problems.add(`${file.where}: \`${type}\``, `has the unknown domain \`${name}\``);
    }
  }
  return types;
}

export function readTools(
  files: Files,
  verbs: Ontology['verbs'],
  domains: Ontology['domains'],
): Map<string, ToolEntry[]> {
  const tools = new Map<string, ToolEntry[]>();
  for (const file of files.folder('actions/tools')) {
    const server = file.text('server');
    if (file.where !== `actions/tools/${server}.yaml`)
      file.problems.add(file.where, `\`server\` is \`${server}\`; name the file after it`);
    file.text('title');
    const server_names = file.texts('server_names').map((name) => name.toLowerCase());
    const is_confirmed = file.flag('confirmed');
    if (is_confirmed) file.text('source');
    for (const [tool, action] of file.textMap('tools')) {
      checkAction(file, tool, action, verbs, domains);
      const entry: ToolEntry = { tool, server, server_names, action, is_confirmed };
      const same_name = tools.get(tool.toLowerCase());
      if (same_name === undefined) tools.set(tool.toLowerCase(), [entry]);
      else same_name.push(entry);
    }
    file.done();
  }
  return tools;
}

function checkAction(
  file: Row,
  tool: string,
  action: string,
  verbs: Ontology['verbs'],
  domains: Ontology['domains'],
): void {
  const where = `${file.where}: \`${tool}\``;
  const [domain = '', scope = '', verb = '', ...more] = action.split(':');
  const known = domains.get(domain);
  if (more.length > 0 || verb === '')
    file.problems.add(where, `the action \`${action}\` is not of the form domain:scope:verb`);
  else if (known?.domain !== domain)
    file.problems.add(where, `the action \`${action}\` has the unknown domain \`${domain}\``);
  else if (!known.scopes.has(scope)) file.problems.add(where, `the domain \`${domain}\` has no scope \`${scope}\``);
  else if (!verbs.has(verb)) file.problems.add(where, `the action \`${action}\` has the unknown verb \`${verb}\``);
}

type ToolNames = Pick<Ontology, 'tool_verb_prefixes' | 'bulk' | 'unknown_verb'>;

export function readToolNames(files: Files, verbs: Ontology['verbs']): ToolNames {
  const file = files.one('lists/tool-names.yaml');
  const tool_verb_prefixes = file.textMap('verb_words');
  for (const [word, verb] of tool_verb_prefixes) {
    if (!verbs.has(verb)) file.problems.add(`${file.where}: \`${word}\``, `means the unknown verb \`${verb}\``);
  }
  const bulk = file.row('bulk');
  const unknown = file.row('unknown_verb');
  const read: ToolNames = {
    tool_verb_prefixes,
    bulk: { words: bulk.texts('words'), base_risk_bonus: bulk.integer('base_risk_bonus', 0, 100) },
    unknown_verb: {
      base_risk: unknown.integer('base_risk', 1, 100),
      confidence_penalty: unknown.number('confidence_penalty', 0, 1),
    },
  };
  for (const row of [bulk, unknown, file]) row.done();
  return read;
}
