/** Facts about data: which are touched, which the parameters carry, where they go, and over which channel. */

import { isAskedNote } from '../read/data/asked-note.ts';
import { regionOutsideEea, testPlaceForProduction, unprotectedChannel } from '../read/data/channel.ts';
import { selfLoadedFiles, unnamedExecutedFiles } from '../read/data/executed-files.ts';
import type { DetectedData } from '../read/data/found/detected-data.ts';
import { isTestValue } from '../read/data/found/detected-value.ts';
import { isKeptByEdit } from '../read/data/found/kept-values.ts';
import { recordSubclasses } from '../read/data/found/record-lines.ts';
import { packageSigns } from '../read/data/packages.ts';
import { isStandingOrder, sensitiveSearch } from '../read/data/said.ts';
import { keepsOrderedNote, placeLeftBehind, repeatsOwnInstructions, spreadsInstruction } from '../read/data/spread.ts';
import { contentWasGenerated, removesMarking } from '../read/past/conduct.ts';
import type { Readings } from '../read/readings.ts';
import { ADDRESS_KINDS } from '../read/words/normalise.ts';
import { matchesAny } from '../read/words/word-lists.ts';
import { classesKnown, type FactRow, unique } from './fact-row.ts';
import {
  CONTACT_SEVERITY,
  carriedClasses,
  isSensitiveValue,
  OUTWARD,
  payloadClasses,
  payloadMayHoldWhatWasRead,
} from './payload.ts';

/** A value counts as found from this confidence of its detector on. */
const LEAST_CONFIDENCE = 0.5;
/** Shorter texts are not searched for a claim to be human, and longer ones only up to here (characters). */
const CLAIM_LENGTH = { least: 8, most: 16_384 };

const classOf = (found: DetectedData): string => found.data_class;
const subclassOf = (found: DetectedData): string => found.subclass;

/** Data known by a field or a domain are no examples, whatever example somebody writes beside them. */
function sensitiveDataAreExamples(r: Readings): boolean {
  const sensitive = r.data.touched.filter((d) => d.severity > CONTACT_SEVERITY || d.basis === 'value');
  const isExample = (d: DetectedData): boolean => d.basis === 'value' && isTestValue(d.value, r.ontology);
  return sensitive.length > 0 && r.data.carried.length === 0 && sensitive.every(isExample);
}

/** Classes of values in parameters that are not made for credentials, without those that an edit leaves where they stood. */
function writtenClasses(r: Readings): readonly string[] {
  const values = r.data.touched.filter(isSensitiveValue);
  if (values.length === 0 && r.data.carried.length === 0) return values.map(classOf);
  const used = new Set(r.arguments.filter((a) => a.role === 'secret').map((a) => `parameters.${a.path}`));
  const found = [...values, ...r.data.carried.map((c) => ({ ...c.data, where: c.where }))];
  const isKept = isKeptByEdit(r.event, r.ontology);
  return unique(found.filter((d) => !used.has(d.where) && !isKept(d)).map((d) => d.data_class));
}

export const DATA_FACTS: readonly FactRow[] = [
  // Which data
  {
    name: 'data_classes',
    type: 'list<string>',
    about: 'Classes of data that the action touches: secret, PHI, financial, PII, restricted, internal, public.',
    since: '0.1.0',
    relief: 'grows',
    is_public: true,
    of: (r) => unique([...r.data.touched.map(classOf), ...carriedClasses(r)]),
  },
  {
    name: 'data_subclasses',
    type: 'list<string>',
    about: 'Finer kinds of data that the action touches: card, card_sad, bank_account, special_category and others.',
    since: '0.1.0',
    is_public: true,
    of: (r) =>
      unique([...r.data.touched.map(subclassOf), ...r.data.carried.map((c) => c.data.subclass)].filter(Boolean)),
  },
  {
    name: 'data_severity',
    type: 'int',
    about: 'Highest severity of the data that the action touches, 0 to 4.',
    since: '0.1.0',
    relief: 'grows',
    is_public: true,
    of: (r) => r.data.severity,
  },
  {
    name: 'sensitive_data_are_examples',
    type: 'bool',
    about: 'All sensitive data in the action are values, and each is a documented example.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: sensitiveDataAreExamples,
  },
  {
    name: 'seen_classes',
    type: 'list<string>',
    about: 'Classes of data that the agent has read before.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    is_from_past: true,
    of: (r) => unique([...r.data.seen_classes, ...r.data.seen_values.map((d) => d.data_class), ...classesKnown(r)]),
  },
  {
    name: 'payload_classes',
    type: 'list<string>',
    about: 'Classes of sensitive values in the parameters themselves.',
    since: '0.1.0',
    relief: 'grows',
    is_public: true,
    of: (r) => unique(payloadClasses(r)),
  },
  {
    name: 'payload_subclasses',
    type: 'list<string>',
    about: 'Finer kinds of values in the parameters themselves.',
    since: '0.1.0',
    is_public: true,
    of: (r) =>
      unique(
        r.data.touched.flatMap((d) => (d.basis === 'value' && d.confidence >= LEAST_CONFIDENCE ? d.subclass : [])),
      ),
  },
  {
    name: 'record_subclasses',
    type: 'list<string>',
    about: 'Finer kinds of data in labelled lines of texts in the parameters.',
    since: '0.1.0',
    is_public: false,
    nearest: 'payload_subclasses',
    of: (r) => recordSubclasses(r.event, r.ontology),
  },
  {
    name: 'written_classes',
    type: 'list<string>',
    about: 'The `payload_classes` without values of parameters made for credentials, which are used and not written.',
    since: '0.1.0',
    is_public: false,
    nearest: 'payload_classes',
    of: writtenClasses,
  },
  {
    name: 'carried_classes',
    type: 'list<string>',
    about: 'Classes of values that the agent saw earlier and the parameters carry.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unique(carriedClasses(r)),
  },
  {
    name: 'carries_encoded_data',
    type: 'bool',
    about: 'The parameters carry a sensitive value in encoded or otherwise disguised form.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.data.carried.some((c) => c.technique !== 'plain'),
  },
  {
    name: 'sensitive_search',
    type: 'string',
    about: 'Secret or very private thing that a search looks for and the user did not mention; empty otherwise.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => sensitiveSearch(r.event, r.text, r.ontology),
  },
  // Where they go
  {
    name: 'sink',
    type: 'string',
    about: 'Where data go: none, user, internal, external, public, unknown.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: (r) => r.sink.sink,
  },
  {
    name: 'is_outward',
    type: 'bool',
    about: 'Data go, or may go, outside.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    of: (r) => OUTWARD.has(r.sink.sink),
  },
  {
    name: 'payload_may_hold_what_was_read',
    type: 'bool',
    about:
      'A value beside the destinations comes from text that tools brought in, names a file, or cannot be read; values that the agent saw are carried.',
    since: '0.2.0',
    is_public: false,
    nearest: 'carried_classes',
    is_from_text: true,
    of: payloadMayHoldWhatWasRead,
  },
  {
    name: 'destination_is_named_by_user',
    type: 'bool',
    about: 'Every destination is named in the user’s own words.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.sink.is_named_by_user,
  },
  {
    name: 'destination_is_chosen_for_user',
    type: 'bool',
    about: 'Every destination is the user’s own, or one whose choice the user left to a source («reply to her»).',
    since: '0.1.0',
    is_public: false,
    nearest: 'destination_is_named_by_user',
    is_from_text: true,
    of: (r) =>
      r.sink.destinations.length > 0 && r.sink.destinations.every((d) => d.provenance === 'user' || d.is_delegated),
  },
  {
    name: 'destination_is_not_the_users',
    type: 'bool',
    about: 'The user neither gave nor left open an address or a host that the action sends to.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) =>
      r.sink.destinations.some(
        ({ kind, provenance, is_left_open }) => ADDRESS_KINDS.has(kind) && provenance !== 'user' && !is_left_open,
      ),
  },
  {
    name: 'destination_is_collector',
    type: 'bool',
    about: 'A destination is a host known for throw-away collection of data.',
    since: '0.1.0',
    relief: 'grows',
    is_public: true,
    of: (r) => r.sink.is_exfiltration_host,
  },
  {
    name: 'unprotected_channel',
    type: 'string',
    about: 'Scheme or switch that leaves the connection unprotected; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => unprotectedChannel(r.event, r.ontology, r.arguments),
  },
  {
    name: 'region_outside_eea',
    type: 'string',
    about: 'Region or country outside the EEA and its adequacy list; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => regionOutsideEea(r.event, r.ontology),
  },
  {
    name: 'test_place_for_production',
    type: 'string',
    about: 'Test environment or personal place that production data go to; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    of: (r) => testPlaceForProduction(r.event, r.ontology, r.action),
  },
  {
    name: 'place_left_behind',
    type: 'string',
    about: 'Repository, channel or tenant whose text the parameters take to another one; empty if there is none.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => placeLeftBehind(r.event, r.ontology, r.text),
  },
  // What is written
  {
    name: 'payload_denies_machine',
    type: 'bool',
    about: 'A text in the parameters says that no machine wrote it.',
    since: '0.1.0',
    is_public: true,
    of: (r) =>
      r.arguments.some(
        ({ value }) =>
          value.length >= CLAIM_LENGTH.least &&
          matchesAny(r.ontology, 'human_claims', value.slice(0, CLAIM_LENGTH.most)),
      ),
  },
  {
    name: 'content_was_generated',
    type: 'bool',
    about: 'An earlier action generated content with a model.',
    since: '0.1.0',
    is_public: true,
    of: (r) => contentWasGenerated(r.event, r.ontology),
  },
  {
    name: 'removes_marking',
    type: 'bool',
    about: 'The action removes a mark that identifies content as generated.',
    since: '0.1.0',
    is_public: true,
    of: (r) => removesMarking(r.event, r.ontology, r.action),
  },
  {
    name: 'payload_spreads_instruction',
    type: 'bool',
    about: 'The parameters repeat an instruction from outside that asks to be passed on, stored or run.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => spreadsInstruction(r.event, r.ontology, r.heeded_text),
  },
  {
    name: 'payload_keeps_ordered_note',
    type: 'bool',
    about: 'The parameters hold, in whatever words, what a text from outside tells the agent to remember.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => keepsOrderedNote(r.event, r.ontology, r.heeded_text),
  },
  {
    name: 'is_asked_note',
    type: 'bool',
    about:
      'The action keeps a note for which the user asked, and the note repeats nothing from outside and holds no address, secret or permission.',
    since: '0.3.0',
    is_public: false,
    nearest: 'payload_spreads_instruction',
    is_from_text: true,
    of: (r) => isAskedNote(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'payload_repeats_own_instructions',
    type: 'bool',
    about: 'The parameters repeat what the operator told the agent.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => repeatsOwnInstructions(r.event, r.text),
  },
  {
    name: 'payload_is_standing_order',
    type: 'bool',
    about: 'A text in the parameters gives an instruction for all future cases.',
    since: '0.1.0',
    is_public: true,
    of: (r) => isStandingOrder(r.event, r.ontology),
  },
  // Packages and files that run
  {
    name: 'package_signs',
    type: 'list<string>',
    about:
      'Signs against an installed package: url, other_index, unpinned, from_tool_text, named_nowhere, scripts_forced; redirected: all later ones come from a place that the user did not name.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => packageSigns(r.event, r.ontology, r.action, r.content, r.text),
  },
  {
    name: 'unnamed_executed_files',
    type: 'list<string>',
    about: 'Files that run, or say what runs, which the action writes and the user did not name.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => unnamedExecutedFiles(r.content, r.text, r.ontology),
  },
  {
    name: 'self_loaded_files',
    type: 'list<string>',
    about:
      'Files with code of their own that the action writes and that a tool of the project loads as soon as it starts: `conftest.py`, `vite.config.ts`.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => selfLoadedFiles(r.content, r.ontology),
  },
];
