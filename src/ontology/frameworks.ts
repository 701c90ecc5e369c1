/** `frameworks/`: what articles require, from whom and from when, and what a breach costs. */
import type { Files } from './files.ts';
import { putOnce, type Row } from './row.ts';
import type { ArticleEntry, FrameworkEntry, Ontology } from './terms.ts';

type Tiers = Ontology['consequence_tiers'];

export function readTiers(files: Files): Tiers {
  const file = files.one('frameworks/_consequences.yaml');
  const tiers = new Map<string, { text: string; basis: string[] }>();
  for (const row of file.rows('tiers', 'tier')) {
    putOnce(tiers, row.text('tier'), { text: row.text('text'), basis: row.texts('basis') }, row);
    row.done();
  }
  file.done();
  return tiers;
}

const LEVELS = ['text', 'excerpt', 'title', 'secondary', 'none'];
const ID = /^[A-Za-z0-9_-]+:[A-Za-z0-9_.()-]+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** `frameworks/eu-ai-act.yaml` for EU_AI_Act. */
const fileOf = (framework: string): string => `frameworks/${framework.toLowerCase().replaceAll('_', '-')}.yaml`;

export function readFrameworks(files: Files, tiers: Tiers): Pick<Ontology, 'frameworks' | 'articles'> {
  const frameworks = new Map<string, FrameworkEntry>();
  const articles = new Map<string, ArticleEntry>();
  for (const file of files.folder('frameworks')) {
    const framework = file.text('framework');
    if (file.where !== fileOf(framework))
      file.problems.add(file.where, `\`framework\` is \`${framework}\`; its file is ${fileOf(framework)}`);
    const kind = file.text('kind');
    const own = new Map<string, ArticleEntry>();
    const sources = readSources(file);
    const defaults = file.row('defaults');
    for (const row of file.rows('articles', 'id')) {
      const article = readArticle(row, defaults, { framework, kind, tiers, sources });
      putOnce(own, article.id, article, row);
      articles.set(article.id, article);
    }
    defaults.done();
    const entry: FrameworkEntry = {
      framework,
      name: file.text('name'),
      edition: file.text('edition'),
      issuer: file.text('issuer'),
      kind,
      jurisdiction: file.text('jurisdiction'),
      aliases: file.texts('aliases'),
      id_form: file.text('id_form'),
      status_note: file.text('status_note'),
      articles: own,
    };
    file.done();
    putOnce(frameworks, framework, entry, file);
  }
  return { frameworks, articles };
}

function readSources(file: Row): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [name, row] of file.rowMap('sources')) {
    names.add(name);
    row.textOr('url', '');
    row.text('what');
    row.text('how');
    row.textOr('as_of', '');
    row.done();
  }
  return names;
}

interface Frame {
  framework: string;
  kind: string;
  tiers: Tiers;
  sources: ReadonlySet<string>;
}

function readArticle(row: Row, defaults: Row, frame: Frame): ArticleEntry {
  const text = (field: string): string =>
    row.has(field) || !defaults.has(field) ? row.text(field) : defaults.text(field);
  const consequence_tier = text('consequence_tier');
  const tier = frame.tiers.get(consequence_tier);
  if (tier === undefined)
    row.problems.add(
      row.where,
      `\`consequence_tier\` is the unknown tier \`${consequence_tier}\`; see frameworks/_consequences.yaml`,
    );
  const verification_level = text('verification_level');
  const article: ArticleEntry = {
    id: row.text('id'),
    framework: frame.framework,
    article: row.text('article'),
    title: row.text('title'),
    obligation: row.text('obligation'),
    bound: text('bound'),
    is_conditional: row.flagOr('conditional', defaults.flagOr('conditional', false)),
    applies_when: row.text('applies_when'),
    consequence: row.textOr('consequence', tier?.text ?? ''),
    consequence_tier,
    consequence_basis: row.textsOr('consequence_basis', tier?.basis ?? []),
    kind: frame.kind,
    enforceable_from: text('enforceable_from'),
    enforceable_note: row.textOr('enforceable_note', ''),
    themes: row.texts('themes'),
    parent: row.textOr('parent', ''),
    successor: row.textOr('successor', ''),
    note: row.textOr('note', ''),
    source: text('source'),
    verification_level,
    verified: verification_level !== 'none',
  };
  row.textOr('edition', '');
  text('verification');
  const opened = row.has('opened') || !defaults.has('opened') ? row.texts('opened') : defaults.texts('opened');
  for (const name of opened)
    if (!frame.sources.has(name))
      row.problems.add(row.where, `\`opened\` has \`${name}\`, which is not in \`sources\``);
  row.done();
  checkArticle(row, article);
  return article;
}

function checkArticle(row: Row, article: ArticleEntry): void {
  const { id, framework, enforceable_from, source, verification_level, themes } = article;
  if (!ID.test(id))
    row.problems.add(row.where, `the id \`${id}\` is not of the form framework:article, without blanks`);
  else if (!id.startsWith(`${framework}:`))
    row.problems.add(row.where, `the id \`${id}\` does not begin with \`${framework}:\``);
  if (!DATE.test(enforceable_from))
    row.problems.add(row.where, `\`enforceable_from\` is \`${enforceable_from}\`; write a date such as 2026-08-02`);
  if (!source.startsWith('https://'))
    row.problems.add(row.where, `\`source\` is \`${source}\`; write an https address`);
  if (!LEVELS.includes(verification_level))
    row.problems.add(
      row.where,
      `\`verification_level\` is \`${verification_level}\`; write one of ${LEVELS.join(', ')}`,
    );
  if (themes.length === 0) row.problems.add(row.where, '`themes` is empty; name at least one');
}

/** Edges between articles: pinpoint to article, old to new edition, duty to the article that fines it. */
export function checkLinks(articles: Ontology['articles'], tiers: Tiers, files: Files): void {
  const problem = (where: string, what: string, id: string): void => {
    if (!articles.has(id)) files.problems.add(where, `${what} names the unknown article \`${id}\``);
  };
  for (const article of articles.values()) {
    const where = `${fileOf(article.framework)}: \`${article.id}\``;
    for (const id of article.consequence_basis) problem(where, '`consequence_basis`', id);
    if (article.parent !== '') problem(where, '`parent`', article.parent);
    if (article.successor !== '') problem(where, '`successor`', article.successor);
  }
  for (const [name, tier] of tiers)
    for (const id of tier.basis) problem(`frameworks/_consequences.yaml: \`${name}\``, '`basis`', id);
}
