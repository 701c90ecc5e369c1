/** Files of credentials that a call hands on by their paths: `attachments: ["~/.ssh/id_rsa"]`, an upload of `.aws/credentials`. */
import { PathTraits } from '../../../effects/paths.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singularsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { DetectedData } from './found/detected-data.ts';

const words = perOntology((ontology) => ({
  groups: setOf(ontology, 'file_handing_groups'),
  verbs: setOf(ontology, 'file_handing_words'),
  names: setOf(ontology, 'handed_file_words'),
}));

const MAX_LEAVES = 200;
const LONGEST_PATH = 512;
const CONFIDENCE = 0.9;

/** One finding for each such file, of an action that sends, shares or uploads. */
export function sentFiles(event: AgentEvent, ontology: Ontology, action: ActionReading): DetectedData[] {
  const { groups, verbs, names } = words(ontology);
  const hands = groups.has(action.effective_group) || action.name_words.some((word) => verbs.has(word));
  if (!hands) return [];
  const found: DetectedData[] = [];
  for (const { path, name, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string' || value.length > LONGEST_PATH || !/[/\\.]/.test(value)) continue;
    if (!singularsOf(name).some((word) => names.has(word)) || !new PathTraits(value, '', ontology).is_credential)
      continue;
    found.push({
      where: `parameters.${path}`,
      data_class: 'secret',
      subclass: 'key_file',
      severity: 4,
      confidence: CONFIDENCE,
      basis: 'value',
      value: '',
    });
  }
  return found;
}
