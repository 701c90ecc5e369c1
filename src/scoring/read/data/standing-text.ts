/** What a text that steers agents from now on brings along: code of a place that the user did not name, or an order to be silent. */

import { pathKinds } from '../../../effects/paths.ts';
import type { AgentEvent } from '../../../events/event.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import { editsOfEvent } from '../action/content/edits.ts';
import { corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import { locate } from '../values/locate.ts';
import { readValue } from '../words/normalise.ts';

const signs = perOntology((ontology) => ({
  code: patternOf(ontology, 'planted_instructions', 'code'),
  hides: patternOf(ontology, 'planted_instructions', 'hides'),
}));

const MAX_LINES = 400;
const MAX_LINE = 2_000;

/** The line of a file that steers agents which does so; '' if none does. Lines that stood there before do not count. */
export function strangeInstruction(event: AgentEvent, text: TextReading, ontology: Ontology): string {
  const { isAgentFile } = pathKinds(ontology);
  const edits = editsOfEvent(event, ontology).filter(({ path }) => isAgentFile(path));
  if (edits.length === 0) return '';
  const { code, hides } = signs(ontology);
  const corpus = corpusOf(text);
  const isSaid = (host: string): boolean => locate(corpus, 'user', readValue(host, 'host', ontology)).length > 0;
  for (const { before, after } of edits) {
    const old = new Set(before.split('\n', MAX_LINES));
    for (const line of after.split('\n', MAX_LINES)) {
      if (old.has(line) || line.length > MAX_LINE) continue;
      const host = code
        .exec(line)
        ?.slice(1)
        .find((part) => part !== undefined);
      if (hides.test(line) || (host !== undefined && !isSaid(host))) return line.trim().slice(0, 160);
    }
  }
  return '';
}
