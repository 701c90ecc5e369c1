/**
 * A right that removes a denial which the user reports («nightly-report fails with AccessDenied on the table Sales»), or that a
 * request gives which the user calls approved («PIM request 6612 is approved: Sunniva Aas, prod-admins»). Nobody says «grant» there.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords, perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  denials: anyOf(ontology, 'reported_denials'),
  approvals: anyOf(ontology, 'granted_requests'),
  notes: setOf(ontology, 'noting_parameters'),
  holders: setOf(ontology, 'right_holders'),
  all: setOf(ontology, 'whole_things'),
}));

const MAX_LEAVES = 60;
const LONGEST = 8_192;
const LONGEST_VALUE = 160;
/** Shorter names stand in any text. */
const SHORTEST_NAME = 4;

const reportsDenial = perRequest((said, ontology) => words(ontology).denials.test(foldText(said).slice(0, LONGEST)));
const tellsApproval = perRequest((said, ontology) => words(ontology).approvals.test(foldText(said).slice(0, LONGEST)));

/** Whether the rights that the action gives are to the one, and on the thing, that such a report or request names; never all rights. */
export function liftsDenial(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const isReported = reportsDenial(text);
  if (!isReported && !tellsApproval(text)) return false;
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const told = leaves.filter(({ name, value }) => typeof value === 'string' && !words(ontology).notes.has(name));
  if (told.some((leaf) => reachesAll(leaf, ontology))) return false;
  const said = foldedUserWords(text);
  const names = told.filter(({ value }) => isName(value as string));
  const isSaid = (leaf: Leaf): boolean => partsOf(leaf).some((part) => standsAlone(part, said) || isPerson(part, said));
  const count = names.filter(isSaid).length;
  const holders = names.filter(({ name }) => wordsOf(name).some((word) => words(ontology).holders.has(word)));
  // A report names who lacks what; of an approved request, whatever the action names is in it.
  return count >= 2 && (isReported ? holders.length > 0 && holders.every(isSaid) : count === names.length);
}

const reachesAll = ({ value }: Leaf, ontology: Ontology): boolean => {
  const name = foldText(String(value).trim());
  return /^\*|:\*/.test(name) || words(ontology).all.has(name);
};

const isName = (value: string): boolean =>
  value.length <= LONGEST_VALUE && /\p{L}/u.test(value) && !/\s/.test(value) && !/^\d{1,6}\s?\p{L}{1,7}$/u.test(value);

/** `role/nightly-report` and `arn:…:table/Sales`: the name is the last part, and an account may stand before it. */
const partsOf = ({ value }: Leaf): readonly string[] => {
  const folded = foldText(String(value));
  return [folded, ...folded.split(/[/:]/)].filter((part) => part.length >= SHORTEST_NAME);
};

/** `s.aas` for «Sunniva Aas»: an initial and a family name. */
function isPerson(part: string, said: string): boolean {
  const [, initial, family] = /^(\p{L})[._]?(\p{L}{3,30})$/u.exec(part.split('@')[0]!) ?? [];
  if (initial === undefined || family === undefined) return false;
  const at = said.indexOf(` ${family}`);
  return at > 0 && standsAlone(family, said) && (said.slice(0, at).split(/\s+/).at(-1) ?? '').startsWith(initial);
}
