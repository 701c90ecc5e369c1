/** Weights of examples so that both classes, and within a class all sources, count alike. They sum to 1. */
export function balancedWeights(examples: readonly { source: string; label: 0 | 1 }[]): Float64Array {
  const counts = new Map<string, number>();
  const keyOf = ({ source, label }: { source: string; label: 0 | 1 }): string => `${label} ${source}`;
  for (const example of examples) counts.set(keyOf(example), (counts.get(keyOf(example)) ?? 0) + 1);
  const sources = [0, 0];
  for (const key of counts.keys()) sources[Number(key[0])]! += 1;
  return Float64Array.from(examples, (example) => 0.5 / counts.get(keyOf(example))! / sources[example.label]!);
}
