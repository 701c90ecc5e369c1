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
  const known = rankedById(knowledge.ontology);
  const binding: Ranked[] = [];
  for (const id of cited) {
    const ranked = known.get(id);
    if (ranked !== undefined && isBinding(ranked.article.framework)) binding.push(ranked);
  }
  if (binding.length <= 1) return binding.map(({ article }) => article.id);
  const first = chosen(binding, facts, knowledge);
  const rest = binding.filter((one) => !first.has(one));
  return [...byRank([...first]), ...byRank(rest)].map(({ article }) => article.id);
}

interface Ranked {
  article: ArticleEntry;
  /** Of its kind: place in `MOST_OF_RANK`. */
  rank: number;
}

const rankedById = perOntology(
  ({ articles, phrasing }): ReadonlyMap<string, Ranked> =>
    new Map(
      [...articles].map(([id, article]) => [
        id,
        { article, rank: phrasing.get(article.kind)?.rank ?? MOST_OF_RANK.length - 1 },
      ]),
    ),
);

/** By rank; within a rank the order of the findings stays. */
const byRank = (articles: readonly Ranked[]): Ranked[] =>
  MOST_OF_RANK.flatMap((_, wanted) => articles.filter(({ rank }) => rank === wanted));

function chosen(articles: readonly Ranked[], facts: Facts, knowledge: Knowledge): ReadonlySet<Ranked> {
  const is_shown: Ranked[] = [];
  const is_not: Ranked[] = [];
  for (const one of articles) (isShownToBind(one.article, facts, knowledge) ? is_shown : is_not).push(one);
  const shown = byRank(is_shown);
  const taken = new Set<Ranked>();
  const counts = MOST_OF_RANK.map(() => 0);
  for (const one of shown) {
    if (counts[one.rank]! < MOST_OF_RANK[one.rank]!) {
      counts[one.rank]! += 1;
      taken.add(one);
    }
  }
  for (const one of [...shown, ...byRank(is_not)]) if (taken.size < MOST_ARTICLES) taken.add(one);
  return taken;
}
