/** Which articles a reader sees first: those that bind this customer and this case; laws, then standards, then threat lists. */
import { distinct } from '../../lang/in-order.ts';
import type { ArticleEntry } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import type { Facts } from '../facts/fact-table.ts';
import type { Knowledge } from '../knowledge.ts';
import { binds, isShownToBind } from '../policy/bindings.ts';
import type { Finding } from '../types.ts';

/** How many articles an answer names; the others follow on request. */
export const MOST_ARTICLES = 6;
/** Of these at most, while other kinds have some: laws, standards, threat lists, by the rank of their kind. */
const MOST_OF_RANK: readonly number[] = [3, 2, 1];

/**
 * All articles whose framework binds, the six that matter most first, each part in the order law, standard, threat list.
 *
 * @param findings most important first
 */
export function rankedArticles(findings: readonly Finding[], facts: Facts, knowledge: Knowledge): string[] {
  if (findings.length === 0) return [];
  const answers = new Map<string, boolean>();
  const isBinding = (framework: string): boolean => {
    const known = answers.get(framework);
    if (known !== undefined) return known;
    const answer = binds(framework, facts, knowledge);
    answers.set(framework, answer);
    return answer;
  };
  const cited = distinct(findings.flatMap(({ citations }) => citations));
  const all = cited.flatMap((id) => knowledge.ontology.articles.get(id) ?? []);
  const binding = all.filter(({ framework }) => isBinding(framework));
  if (binding.length <= 1) return binding.map(({ id }) => id);
  const first = chosen(binding, facts, knowledge);
  const rest = binding.filter((article) => !first.has(article));
  return [...byRank([...first], knowledge), ...byRank(rest, knowledge)].map(({ id }) => id);
}

const ranks = perOntology(
  (ontology) =>
    new Map(
      [...ontology.articles.values()].map((article) => [
        article,
        ontology.phrasing.get(article.kind)?.rank ?? MOST_OF_RANK.length - 1,
      ]),
    ),
);

/** By rank; within a rank the order of the findings stays. */
function byRank(articles: readonly ArticleEntry[], knowledge: Knowledge): ArticleEntry[] {
  const rankOf = ranks(knowledge.ontology);
  return MOST_OF_RANK.flatMap((_, rank) => articles.filter((article) => rankOf.get(article) === rank));
}

function chosen(articles: readonly ArticleEntry[], facts: Facts, knowledge: Knowledge): ReadonlySet<ArticleEntry> {
  const rankOf = ranks(knowledge.ontology);
  const is_shown: ArticleEntry[] = [];
  const is_not: ArticleEntry[] = [];
  for (const article of articles) (isShownToBind(article, facts, knowledge) ? is_shown : is_not).push(article);
  const shown = byRank(is_shown, knowledge);
  const taken = new Set<ArticleEntry>();
  const counts = MOST_OF_RANK.map(() => 0);
  for (const article of shown) {
    const rank = rankOf.get(article)!;
    if (counts[rank]! < MOST_OF_RANK[rank]!) {
      counts[rank]! += 1;
      taken.add(article);
    }
  }
  for (const article of [...shown, ...byRank(is_not, knowledge)]) if (taken.size < MOST_ARTICLES) taken.add(article);
  return taken;
}
