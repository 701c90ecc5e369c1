/**
 * A whole class instead of the one record that the user names: `filter: { species: 'cat' }` where he speaks of the cat Mimi, and the
 * look-up shows her record. The call holds a property of the record, and neither its id nor the name by which the user calls it.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { recordsOf } from '../../conversation/transcript/records.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { meansSeveral } from '../contradiction/reach/several.ts';

const words = perOntology((ontology) => ({
  classes: setOf(ontology, 'class_fields'),
  id_keys: setOf(ontology, 'id_key_words'),
  naming: setOf(ontology, 'object_name_keys'),
}));

const MAX_RECORDS = 200;
const MAX_LEAVES = 40;
const LONGEST_VALUE = 80;
const SHORTEST_NAME = 3;

/** The parameter that holds the class; '' where there is none. */
export function classOfRecord(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  if (!text.has_request || text.untrusted.length === 0) return '';
  const { classes, id_keys, naming } = words(ontology);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const candidates = leaves.filter(({ name }) => classes.has(name));
  if (candidates.length === 0 || meansSeveral(text)) return '';
  const said = foldedUserWords(text);
  const given = new Set(leaves.map(({ value }) => foldText(String(value))));
  for (const { fields } of recordsOf(text).slice(-MAX_RECORDS)) {
    const kinds = candidates.filter(({ name, value }) => fields.get(name) === String(value));
    if (kinds.length === 0) continue;
    const others = [...fields].filter(
      ([key, value]) => !classes.has(key) && value !== '' && value.length <= LONGEST_VALUE,
    );
    // Where the call holds any other value of the record, that may be what tells it.
    if (others.some(([, value]) => given.has(foldText(value)))) continue;
    const isNamed = others.some(([key, value]) => {
      const isName = naming.has(key) || id_keys.has(key.slice(key.lastIndexOf('_') + 1)) || /\d/.test(value);
      return isName && value.length >= SHORTEST_NAME && standsAlone(foldText(value), said);
    });
    if (isNamed) return kinds[0]!.path;
  }
  return '';
}
