/** Each source left out in turn: what every kind of model says of a source that it did not learn from. */
import type { Example } from './example.ts';
import { type FitOptions, fitNetwork, logitsOf } from './fit.ts';
import { fitLogistic, logisticLogit } from './logistic.ts';
import { fitTrees, treesLogit } from './trees.ts';
import { ownedRules, unseen } from './unseen.ts';

/** The actions of one source, as they are or without the findings of rules that belong to the source. */
export interface Held {
  source: string;
  /** False: rules that owe most of their catch to this source are hidden. */
  is_seen: boolean;
  examples: readonly Example[];
}

export interface HeldLogits extends Held {
  logits: readonly number[];
}

export type Learner = (examples: readonly Example[]) => (held: readonly Example[]) => number[];

/** Each source of the examples, both ways. Changed tellings are for training only. */
export function heldSources(examples: readonly Example[]): Held[] {
  const owned = ownedRules(examples);
  const own = Map.groupBy(
    examples.filter(({ change }) => change === ''),
    ({ source }) => source,
  );
  return [...own].flatMap(([source, seen]) => {
    const rules = owned.get(source) ?? new Set<string>();
    return [
      { source, is_seen: true, examples: seen },
      { source, is_seen: false, examples: seen.map((example) => unseen(example, rules)) },
    ];
  });
}

export const hasBothClasses = ({ examples }: Held): boolean => new Set(examples.map(({ label }) => label)).size === 2;

export const logisticLearner: Learner = (examples) => {
  const model = fitLogistic(examples);
  return (held) => held.map(({ graph }) => logisticLogit(model, graph));
};

export const treesLearner: Learner = (examples) => {
  const model = fitTrees(examples);
  return (held) => held.map(({ graph }) => treesLogit(model, graph));
};

export const networkLearner =
  (options: FitOptions): Learner =>
  (examples) => {
    const weights = fitNetwork(examples, options);
    return (held) => [
      ...logitsOf(
        weights,
        held.map(({ graph }) => graph),
        options.has_edges,
      ),
    ];
  };

/** Learns without each source in turn and applies what was learned to it. */
export function leaveOut(
  examples: readonly Example[],
  held: readonly Held[],
  learn: Learner,
  progress: (source: string) => void,
): HeldLogits[] {
  return [...Map.groupBy(held, ({ source }) => source)].flatMap(([source, ways]) => {
    const apply = learn(examples.filter((example) => example.source !== source));
    progress(source);
    return ways.map((way) => ({ ...way, logits: apply(way.examples) }));
  });
}

/** The same in fewer fits: learns without a whole part of the sources at a time. */
export function leavePartsOut(
  examples: readonly Example[],
  held: readonly Held[],
  parts: number,
  learn: Learner,
): HeldLogits[] {
  const sources = [...new Set(held.map(({ source }) => source))];
  return Array.from({ length: parts }, (_, part) => {
    const left = new Set(sources.filter((_source, i) => i % parts === part));
    const apply = learn(examples.filter(({ source }) => !left.has(source)));
    return held.filter(({ source }) => left.has(source)).map((way) => ({ ...way, logits: apply(way.examples) }));
  }).flat();
}
