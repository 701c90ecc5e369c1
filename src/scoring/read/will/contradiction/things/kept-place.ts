/** A place or thing that the user wants to be left alone, and an action that changes it: «leave everything under data/ alone». */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { anyOf, patternsOf, setOf } from '../../../../../ontology/words.ts';
import type { ContentReading } from '../../../action/content/content.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  kept: [...patternsOf(ontology, 'kept_places')].map(([name, { source }]) => ({
    pattern: new RegExp(source, 'gi'),
    isFolder: name === 'folder',
  })),
  inside: anyOf(ontology, 'kept_inside'),
  vague: setOf(ontology, 'any_object'),
  changing: setOf(ontology, 'place_changing_kinds'),
}));

const MAX_WORDS = 8_192;
const MAX_LEAVES = 60;
const MAX_PLACES = 16;
const LONGEST_VALUE = 200;
const SHORTEST = 3;

/** What is not to leave, and the places that are to be left alone. */
const askedToKeep = perRequest((said, ontology) => {
  const beginning = said.slice(0, MAX_WORDS);
  return { inside: words(ontology).inside.exec(beginning)?.[0], places: placesIn(beginning, ontology) };
});

export function keptPlaces(
  event: AgentEvent,
  ontology: Ontology,
  content: ContentReading,
  text: TextReading,
): readonly Contradiction[] {
  const { inside, places } = askedToKeep(text);
  const sent = inside === undefined ? undefined : content.effects.find(({ kind }) => kind === 'sends_out');
  if (inside !== undefined && sent !== undefined)
    return [{ parameter: 'command', asked: inside.trim(), used: sent.object, kind: 'kept', factor: 1, is_less: false }];
  if (places.length === 0) return [];
  const { changing } = words(ontology);
  const effects = content.effects.filter(({ kind }) => changing.has(kind));
  const ofCode = effects.map(({ object }) => ({ path: 'command', used: object }));
  const ofParameters = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .map(({ path, value }) => ({ path, used: String(value) }))
    .filter(({ used }) => used.length <= LONGEST_VALUE && !/\s/.test(used));
  for (const { path, used } of content.languages.length > 0 ? ofCode : [...ofCode, ...ofParameters]) {
    const place = places.find(({ segments }) => holds(segmentsOf(used), segments));
    if (place !== undefined)
      return [{ parameter: path, asked: place.said, used, kind: 'kept', factor: 1, is_less: false }];
  }
  return [];
}

interface Place {
  said: string;
  segments: readonly string[];
}

function placesIn(said: string, ontology: Ontology): readonly Place[] {
  const { kept, vague } = words(ontology);
  const places: Place[] = [];
  for (const { pattern, isFolder } of kept)
    for (const match of said.matchAll(pattern)) {
      const [whole, ...named] = match;
      const name = named.find((one) => one !== undefined) ?? '';
      const segments = segmentsOf(name);
      if (places.length >= MAX_PLACES || name.length < SHORTEST || (!isFolder && vague.has(name.toLowerCase())))
        continue;
      if (segments.length > 0) places.push({ said: whole.trim(), segments });
    }
  return places;
}

/** `./data/raw/a.csv` → `data raw a.csv`. */
const segmentsOf = (path: string): readonly string[] =>
  path
    .toLowerCase()
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.');

/** Whether the parts of a place stand side by side among those of a path. */
const holds = (path: readonly string[], place: readonly string[]): boolean =>
  path.some((_, at) => place.every((part, i) => path[at + i] === part));
