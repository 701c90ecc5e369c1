/** `playbooks.yaml`, `phrasing.yaml`, `profiles/`: what to do about a violation, how to word it, and whom it concerns. */
import type { Files } from './files.ts';
import { putOnce, type Row } from './row.ts';
import type { FrameworkBinding, Ontology, Phrasing } from './terms.ts';

export function readPlaybooks(files: Files, articles: Ontology['articles']): Ontology['remediation_playbooks'] {
  const file = files.one('playbooks.yaml');
  const playbooks = file.textsMap('playbooks');
  file.done();
  const themes = new Set([...articles.values()].flatMap((article) => article.themes));
  for (const [theme, steps] of playbooks) {
    if (steps.length === 0) file.problems.add(`${file.where}: \`${theme}\``, 'has no steps');
    if (!themes.has(theme)) file.problems.add(`${file.where}: \`${theme}\``, 'is the theme of no article');
  }
  return playbooks;
}

const PLACEHOLDERS = new Set([
  'article',
  'title',
  'bound',
  'obligation',
  'violation',
  'consequence',
  'enforceable_from',
]);

export function readPhrasing(
  files: Files,
  frameworks: Ontology['frameworks'],
): Pick<Ontology, 'phrasing' | 'phrasing_condition'> {
  const file = files.one('phrasing.yaml');
  const phrasing = new Map<string, Phrasing>();
  const sentence = (row: Row, field: string): string => {
    const text = row.text(field);
    for (const [, name] of text.matchAll(/\{([^}]*)\}/g)) {
      if (!PLACEHOLDERS.has(name!)) row.problems.add(row.where, `\`${field}\` has the unknown placeholder {${name}}`);
    }
    return text;
  };
  const phrasing_condition = sentence(file, 'condition');
  for (const row of file.rows('kinds', 'kind')) {
    const entry: Phrasing = {
      kind: row.text('kind'),
      in_force: sentence(row, 'in_force'),
      not_yet: sentence(row, 'not_yet'),
      states_consequence: row.flag('states_consequence'),
      where_shown: row.textOr('where_shown', ''),
      never_says: row.texts('never_says'),
      rank: row.number('rank', 0, 2),
      counts_as_impacted: row.flag('counts_as_impacted'),
    };
    row.done();
    putOnce(phrasing, entry.kind, entry, row);
  }
  file.done();
  for (const { framework, kind } of frameworks.values()) {
    if (!phrasing.has(kind)) file.problems.add(file.where, `has no words for the kind \`${kind}\` of \`${framework}\``);
  }
  return { phrasing, phrasing_condition };
}

const REGION = /^(?:EU|[A-Z]{2}(?:-[A-Z0-9]{1,3})?)$/;

export function readProfiles(files: Files, frameworks: Ontology['frameworks']): Pick<Ontology, 'profiles' | 'sectors'> {
  const profiles = new Map<string, ReadonlyMap<string, FrameworkBinding>>();
  const sectors = new Map<string, string>();
  for (const file of files.folder('profiles')) {
    const profile = file.text('profile');
    if (file.where !== `profiles/${profile}.yaml`)
      file.problems.add(file.where, `\`profile\` is \`${profile}\`; name the file after it`);
    for (const [sector, meaning] of file.textMap('sectors')) sectors.set(sector, meaning);
    const bindings = new Map<string, FrameworkBinding>();
    for (const row of file.rows('frameworks', 'framework')) {
      const framework = row.text('framework');
      if (!frameworks.has(framework)) row.problems.add(row.where, `the framework \`${framework}\` is unknown`);
      row.text('why');
      putOnce(bindings, framework, readBinding(row, sectors), row);
      row.done();
    }
    for (const framework of frameworks.keys()) {
      if (!bindings.has(framework)) file.problems.add(file.where, `does not say when \`${framework}\` binds`);
    }
    file.done();
    profiles.set(profile, bindings);
  }
  if (!profiles.has('default')) files.problems.add('profiles/default.yaml', 'is missing');
  return { profiles, sectors };
}

function readBinding(row: Row, known_sectors: ReadonlyMap<string, string>): FrameworkBinding {
  const binds = row.text('binds');
  const regions = row.textsOr('regions', []);
  const sectors = row.textsOr('sectors', []);
  const shown_when = row.textOr('shown_when', '');
  for (const region of regions)
    if (!REGION.test(region)) row.problems.add(row.where, `\`${region}\` is no region; write EU, US or US-CA`);
  for (const sector of sectors)
    if (!known_sectors.has(sector)) row.problems.add(row.where, `the sector \`${sector}\` is unknown`);
  if (binds === 'when') return { binds, condition: row.text('condition'), shown_when, regions, sectors };
  if (binds === 'always') return { binds, condition: '', shown_when, regions, sectors };
  if (binds !== 'never_without_profile')
    row.problems.add(row.where, `\`binds\` is \`${binds}\`; write always, when or never_without_profile`);
  return { binds: 'never_without_profile', condition: row.textOr('condition', ''), shown_when, regions, sectors };
}
