/** Facts about what the user wants, and whether the action fits the request. */

import { requestOf } from '../read/conversation/request.ts';
import { isDocument } from '../read/conversation/user-words.ts';
import { inventedReadings } from '../read/values/invented-readings.ts';
import { asksAccessForOthers, speaksOfPublic } from '../read/will/asked/access-for-others.ts';
import { wantsOnlyAnswer } from '../read/will/asked/answer-only.ts';
import { askedEffects } from '../read/will/asked/asked-effects.ts';
import { grantFit } from '../read/will/asked/asked-grant.ts';
import { asksKnownInstaller } from '../read/will/asked/asked-installers.ts';
import { changesAgentTexts, userNamesAgentFiles, userSpeaksOfSecrets } from '../read/will/asked/asked-rules.ts';
import { isOrderForNamedRecord } from '../read/will/asked/named-record-order.ts';
import { setsOrderedValue } from '../read/will/asked/ordered-value.ts';
import { isAskedRehearsal } from '../read/will/asked/rehearsal.ts';
import { isAskedRetention } from '../read/will/asked/retention.ts';
import { claimedSuccess } from '../read/will/claimed-success.ts';
import { spokenCrime, wishedCrime } from '../read/will/crimes/served-crime.ts';
import { liftsSafeguards, requestedEnvironment } from '../read/will/deviation.ts';
import { addressedJudge } from '../read/will/misuse/addressed-judge.ts';
import { covertWatching } from '../read/will/misuse/covert-watching.ts';
import { harmfulWish, harmfulWishBesideHolds, sparesHeldRecords } from '../read/will/misuse/misuse.ts';
import { outsiderAsksFor } from '../read/will/outsider-asks.ts';
import { removesOwnMake } from '../read/will/own-make.ts';
import { tellsRefusal } from '../read/will/refused-deed.ts';
import { widensAccess } from '../read/will/unasked-consequence.ts';
import { isUnrelated } from '../read/will/unrelated.ts';
import type { FactRow } from './fact-row.ts';

const asksOnlyToLook = (groups: readonly string[]): boolean =>
  groups.length > 0 && groups.every((group) => group === 'read' || group === 'list_search');

export const INTENT_FACTS: readonly FactRow[] = [
  // The request
  {
    name: 'request_covers_action',
    type: 'bool',
    about: 'The request asks for this effect, or the action prepares it.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => r.intent.covers_action || r.is_exact_order || r.is_confirmed || isOrderForNamedRecord(r),
  },
  {
    name: 'is_unrelated_to_request',
    type: 'bool',
    about:
      'The user asks for something of a known kind, and neither a verb nor any other word of the names of action and tool is part of it.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) =>
      !r.is_confirmed &&
      grantFit(r.event, r.ontology, r.action, r.text) !== 'as_asked' &&
      isUnrelated(r.event, r.ontology, r.action, r.arguments, r.heeded_text),
  },
  {
    name: 'grant_fit',
    type: 'string',
    about:
      'How the right that the action gives compares with what the user says that somebody is to be able to do: `as_asked` or `wider`; empty if nobody asked so, or if it is not understood.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => grantFit(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'order_is_exact',
    type: 'bool',
    about:
      'The user’s own words have a verb for what the action does, and name each thing that it does it to; no text from outside speaks of it.',
    since: '0.3.0',
    is_public: false,
    nearest: 'request_covers_action',
    is_from_text: true,
    of: (r) => r.is_exact_order || r.is_confirmed,
  },
  {
    name: 'claimed_success',
    type: 'string',
    about:
      'Words of a parameter that all went well, where the last result about it says that something failed; empty otherwise.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => claimedSuccess(r.event, r.ontology, r.text, r.content.languages.length > 0),
  },
  {
    name: 'addressed_judge',
    type: 'string',
    about:
      'Words by which a text that the action judges speaks to the program that judges it; empty if there are none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => addressedJudge(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'sets_ordered_value',
    type: 'bool',
    about: 'Each number that the action sets is one that the user gave, and none of them is a bound of safety.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => setsOrderedValue(r.event, r.ontology, r.text),
  },
  {
    name: 'removes_own_make',
    type: 'bool',
    about:
      'The action removes only things of their own names that the agent made before, in calls that the conversation records.',
    since: '0.3.0',
    is_public: false,
    nearest: 'effect',
    is_from_text: true,
    of: (r) => removesOwnMake(r),
  },
  {
    name: 'retention_is_asked',
    type: 'bool',
    about:
      'The user asks to delete what is old, and a date in the action, or the dates of a look-up, show that what it deletes is old.',
    since: '0.3.0',
    is_public: false,
    nearest: 'effect',
    is_from_text: true,
    of: (r) => isAskedRetention(r),
  },
  {
    name: 'rehearsal_is_asked',
    type: 'bool',
    about:
      'The user asks what the action would do, and a parameter such as `dry_run` keeps it from doing more than say so.',
    since: '0.3.0',
    is_public: false,
    nearest: 'request_is_read_only',
    is_from_text: true,
    // Code does what it says, whatever stands beside it.
    of: (r) => isAskedRehearsal(r.event, r.ontology, r.text) && r.content.effects.every(({ kind }) => kind === 'reads'),
  },
  {
    name: 'request_is_read_only',
    type: 'bool',
    about: 'The user asked only to look.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) =>
      r.intent.is_read_only ||
      (!r.intent.is_open_ended &&
        !r.intent.leaves_work_open &&
        asksOnlyToLook(r.intent.asked_groups) &&
        !(widensAccess(r.ontology, r.action) && asksAccessForOthers(r.text))),
  },
  {
    name: 'request_states_read_only',
    type: 'bool',
    about: 'The user’s words say that nothing at all may be changed, or ask for nothing but a look.',
    since: '0.3.0',
    is_public: false,
    nearest: 'request_is_read_only',
    is_from_text: true,
    of: (r) =>
      r.intent.is_read_only && (asksOnlyToLook(r.intent.asked_groups) || requestOf(r.text, r.ontology).limits_all),
  },
  {
    name: 'installer_is_known_and_asked',
    type: 'bool',
    about:
      'The user asks to install or run something, and all code from the network is an installer of a well-known maker.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => asksKnownInstaller(r.event, r.content, r.text, r.ontology),
  },
  {
    name: 'request_wants_answer_only',
    type: 'bool',
    about: 'The user’s words ask for an answer: a look, an opinion, a summary.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => !r.is_confirmed && wantsOnlyAnswer(r.ontology, r.text),
  },
  {
    name: 'request_wants_draft_only',
    type: 'bool',
    about: 'The user asked for a draft, plan or preview.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => !r.is_confirmed && r.intent.wants_draft_only,
  },
  {
    name: 'request_lifts_safeguards',
    type: 'bool',
    about: 'The user’s words ask the agent to drop its limits.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => liftsSafeguards(r.text),
  },
  {
    name: 'request_is_for_non_production',
    type: 'bool',
    about: 'The user’s words name an environment for the task, and it is not production.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => requestedEnvironment(r.text) === 'non_production',
  },
  {
    name: 'covert_watching',
    type: 'string',
    about:
      '`asked`: a person is watched, and the user says that the person is not to know; `set`: a parameter hides it; empty otherwise.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => covertWatching(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'request_speaks_of_public',
    type: 'bool',
    about: 'The user’s words speak of publishing, of everybody or of a link.',
    since: '0.2.0',
    is_public: false,
    nearest: 'request_covers_action',
    is_from_text: true,
    of: (r) => speaksOfPublic(r.text),
  },
  {
    name: 'harmful_wish',
    type: 'string',
    about:
      'What the user’s own words ask for that harms others, such as `destruction of evidence`; empty if they ask for nothing of the kind.',
    since: '0.2.0',
    is_public: true,
    is_from_text: true,
    of: (r) => (sparesHeldRecords(r.event, r.ontology) ? harmfulWishBesideHolds(r.text) : harmfulWish(r.text)),
  },
  {
    name: 'invented_readings',
    type: 'string',
    about:
      'Parameter with the first of a series of measured values that are said to be taken by a person and stand nowhere in the conversation; empty if there is none.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => inventedReadings(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'tells_refusal',
    type: 'bool',
    about: 'All that the action does is to say in a short text that it will not do what was asked.',
    since: '0.3.0',
    is_public: false,
    nearest: 'wished_crime',
    is_from_text: true,
    of: (r) => tellsRefusal(r.event, r.ontology, r.action),
  },
  {
    name: 'request_is_a_document',
    type: 'bool',
    about:
      'The user’s own words have the form of a document, which describes what is to be made: more than 150 words in five lines or more.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => isDocument(r.text),
  },
  {
    name: 'wished_crime',
    type: 'string',
    about:
      'The kind of crime, deceit or unfair treatment that the user’s own words ask for, such as `forgery`; empty if they ask for nothing of the kind.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => wishedCrime(r.text),
  },
  {
    name: 'spoken_crime',
    type: 'string',
    about:
      'The kind of crime that the action’s own questions, orders and messages serve, such as `blackmail`; empty if none, or if the user speaks of preventing it.',
    since: '0.3.0',
    is_public: true,
    is_from_text: true,
    of: (r) => spokenCrime(r.event, r.ontology, r.action, r.text),
  },
  {
    name: 'effect_is_prohibited',
    type: 'bool',
    about: 'The user excluded this effect.',
    since: '0.1.0',
    relief: 'reducers',
    is_public: true,
    is_from_text: true,
    // «See, not edit» withholds a right from its holder, and forbids the agent nothing.
    of: (r) =>
      r.intent.prohibited_groups.includes(r.action.effective_group) &&
      grantFit(r.event, r.ontology, r.action, r.text) !== 'as_asked',
  },
  {
    name: 'object_is_prohibited',
    type: 'bool',
    about: 'The user excluded this effect for a thing that the action names.',
    since: '0.2.0',
    relief: 'reducers',
    is_public: true,
    is_from_text: true,
    of: (r) => r.intent.forbids_named_object,
  },
  {
    name: 'goal_is_only_in_untrusted',
    type: 'bool',
    about: 'Only untrusted text mentions what the action serves.',
    since: '0.1.0',
    is_public: true,
    is_from_text: true,
    of: (r) => !r.is_confirmed && r.intent.is_goal_only_in_untrusted,
  },
  {
    name: 'outside_order_strength',
    type: 'double',
    about: 'Strength of the strongest order in untrusted text that speaks of this action, followed or not, 0 to 1.',
    since: '0.1.0',
    is_public: false,
    nearest: 'goal_is_only_in_untrusted',
    is_from_text: true,
    of: (r) => r.intent.outside_order_strength,
  },
  {
    name: 'outsider_asks_for_effect',
    type: 'bool',
    about: 'Untrusted text asks for an effect of this kind, of whatever object and in whatever words.',
    since: '0.2.0',
    is_public: false,
    nearest: 'goal_is_only_in_untrusted',
    is_from_text: true,
    of: (r) => outsiderAsksFor(r.ontology, r.action, r.text, r.is_own_work),
  },
  {
    name: 'changes_agent_texts',
    type: 'bool',
    about:
      'Of the agent, only instructions in words are changed, and what is written neither hides text nor steers like an attack.',
    since: '0.3.0',
    is_public: false,
    nearest: 'content_effects',
    of: (r) => changesAgentTexts(r.event, r.content, r.ontology),
  },
  {
    name: 'user_names_agent_files',
    type: 'bool',
    about:
      'The user’s words speak of each instruction file of agents that is changed, and nothing else of the agent is.',
    since: '0.1.0',
    is_public: false,
    nearest: 'request_covers_action',
    is_from_text: true,
    of: (r) => userNamesAgentFiles(r.event, r.content, r.text, r.ontology),
  },
  {
    name: 'request_speaks_of_secrets',
    type: 'bool',
    about: 'The user’s words speak of secrets, or name the place of credentials that is read.',
    since: '0.1.0',
    is_public: false,
    nearest: 'request_covers_action',
    is_from_text: true,
    of: (r) => userSpeaksOfSecrets(r.content, r.text, r.ontology),
  },
  {
    name: 'asked_effects',
    type: 'list<string>',
    about:
      'Kinds of lasting effects of code that the user’s own words ask for, each object of them: a schedule, a hook, a release, an empty database; empty where something that no plain work has stands beside them.',
    since: '0.2.0',
    is_public: false,
    nearest: 'request_covers_action',
    is_from_text: true,
    of: (r) => askedEffects(r.event, r.content, r.text, r.ontology),
  },
];
