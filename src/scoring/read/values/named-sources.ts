/** Passages that were read from a file, page or host that the user named. */
import { type Corpus, type Stretch, sideOf } from '../conversation/corpus.ts';
import { locate, locateHost } from './locate.ts';
import { namedValues } from './named-values.ts';

/** The passages that follow a call of the agent in which a source of the user's stands. */
export function namedSources(corpus: Corpus): ReadonlySet<Stretch> {
  return corpus.memo.get('sources', () => find(corpus));
}

function find(corpus: Corpus): Set<Stretch> {
  const linked = new Set<Stretch>();
  const calls = callsNaming(corpus);
  if (calls.size === 0) return linked;
  let isLinked = false;
  for (const stretch of corpus.stretches) {
    const side = sideOf(stretch.segment.speaker);
    if (side === 'tool' && isLinked) linked.add(stretch);
    else if (side !== 'tool') isLinked = calls.has(stretch);
  }
  return linked;
}

function callsNaming(corpus: Corpus): Set<Stretch> {
  const calls = new Set<Stretch>();
  const { agent } = corpus;
  if (agent.is_empty) return calls;
  for (const { value } of namedValues(corpus)) {
    if (value.kind !== 'path' && value.kind !== 'url' && value.kind !== 'host') continue;
    const exact = locate(corpus, 'agent', value);
    const places = exact.length === 0 && value.kind !== 'path' ? locateHost(corpus, 'agent', value) : exact;
    for (const { word } of places) calls.add(agent.stretchOf(word));
  }
  return calls;
}
