/** Layer 4: how this action stands against the agent's own past. 0.5-2.0; exactly 1 where there is no record of a past. */
import type { Facts } from '../facts/fact-table.ts';
import type { History } from '../types.ts';

export interface TemporalReading {
  modifier: number;
  /** Why the modifier is not 1, as behavioral flags. */
  flags: string[];
}

interface Effect {
  flag: string;
  factor: number;
  /** Where the effect and its size come from. */
  because: string;
  applies: (history: History, facts: Facts) => boolean;
  /** Counts for everyday work, too. */
  is_of_refusals?: true;
}

/**
 * Work on the user's own project, and a step from which little comes, can be taken back, however fast, late or far from the beginning it is done: a past of this kind
 * lifted only honest steps of recorded sessions over the line. What such an act is, it tells by itself.
 */
const isEveryday = (facts: Facts): boolean =>
  facts.bool('is_slight_step') || facts.bool('stays_in_workspace') || facts.bool('changes_agent_texts');
const reachesOut = (facts: Facts): boolean => facts.bool('is_mutating') || facts.bool('is_outward');

/**
 * What makes an action weigh more. Of rows with one flag only the first that applies counts; different ones multiply.
 * Sizes of VOL-04, VOL-06 and VOL-07 are the rule catalogue's; the others are set beside them: a single sign alone never
 * lifts a score by more than a third, because each has harmless causes, and only several together double it.
 */
const RAISING: readonly Effect[] = [
  {
    flag: 'high_velocity',
    factor: 1.3,
    because: 'VOL-04, four times its limit: no person follows two changes a second',
    applies: (h) => h.changes_per_minute >= 120,
  },
  {
    flag: 'high_velocity',
    factor: 1.15,
    because: 'VOL-04: more than 30 changes a minute',
    applies: (h) => h.changes_per_minute >= 30,
  },
  {
    flag: 'high_velocity',
    factor: 1.15,
    because: 'ten actions of any kind a second are a sweep or a loop',
    applies: (h) => h.actions_per_minute >= 600,
  },
  {
    flag: 'high_velocity',
    factor: 1.05,
    because: 'two actions of any kind a second',
    applies: (h) => h.actions_per_minute >= 120,
  },
  {
    flag: 'burst',
    factor: 1.3,
    because: 'twenty times the pace that is usual for this agent',
    applies: (h) => h.burst >= 20,
  },
  {
    flag: 'burst',
    factor: 1.15,
    because: 'five times the pace that is usual for this agent',
    applies: (h) => h.burst >= 5,
  },
  {
    flag: 'first_seen_action',
    factor: 1.1,
    because: 'an agent of known ways does something it never did',
    applies: (h) => h.first_seen.includes('action'),
  },
  {
    flag: 'first_seen_resource',
    factor: 1.05,
    because: 'it works on something it never worked on, which is often just the next task',
    applies: (h) => h.first_seen.includes('resource'),
  },
  {
    flag: 'first_seen_destination',
    factor: 1.15,
    because: 'data, money or rights go where none of this agent ever went',
    applies: (h) => h.first_seen.includes('destination'),
  },
  {
    flag: 'unusual_hour',
    factor: 1.1,
    because: 'it never acted at this time on such a day',
    applies: (h) => h.is_unusual_hour,
  },
  {
    flag: 'off_hours',
    factor: 1.2,
    because: 'VOL-06: a high-impact action at night or at a weekend of its own time zone',
    applies: (h) => h.off_hours === 'local',
  },
  {
    flag: 'off_hours',
    factor: 1.05,
    because: 'VOL-06, where only UTC is known',
    applies: (h) => h.off_hours === 'utc',
  },
  {
    flag: 'session_anomaly',
    factor: 1.1,
    because: 'VOL-07: the times of event and session do not fit',
    applies: (h) => h.clock !== '',
  },
  {
    flag: 'session_drift',
    factor: 1.2,
    because: 'the session changes things that have nothing in common with what it began with',
    applies: (h, facts) => h.drift >= 2 && reachesOut(facts),
  },
  {
    flag: 'session_drift',
    factor: 1.1,
    because: 'the session changes things far from what it began with',
    applies: (h, facts) => h.drift >= 1 && reachesOut(facts),
  },
  {
    flag: 'repeated_refusals',
    factor: 1.4,
    because: 'refused again and again within an hour, it tries on',
    applies: (h) => h.refused >= 4,
    is_of_refusals: true,
  },
  {
    flag: 'repeated_refusals',
    factor: 1.2,
    because: 'refused more than once within an hour',
    applies: (h) => h.refused >= 2,
    is_of_refusals: true,
  },
  {
    flag: 'repeated_high_risk',
    factor: 1.3,
    because: 'eight actions of high risk within an hour',
    applies: (h) => h.high >= 8,
  },
  {
    flag: 'repeated_high_risk',
    factor: 1.15,
    because: 'three actions of high risk within an hour',
    applies: (h) => h.high >= 3,
  },
];

/** The one thing that makes an action weigh less. `combine.ts` drops it while a violation stands. */
const STEADY: Effect = {
  flag: 'steady_history',
  factor: 0.85,
  because: 'weeks of work without a refusal or a high score; more would be worth waiting for to an attacker',
  applies: (h, facts) => h.is_steady && !facts.bool('is_outward'),
};

/** Specification 2.3: range of the modifier. */
const MOST = 2;

const NO_PAST: TemporalReading = { modifier: 1, flags: [] };

/** The modifier is exactly 1 without the server's own record of a past. */
export function temporalModifier(history: History | null, facts: Facts): TemporalReading {
  if (history === null) return NO_PAST;
  const by_flag = new Map<string, number>();
  for (const effect of RAISING) {
    const { flag, factor, applies } = effect;
    if (!by_flag.has(flag) && applies(history, facts) && (effect.is_of_refusals || !isEveryday(facts)))
      by_flag.set(flag, factor);
  }
  if (by_flag.size === 0) {
    return STEADY.applies(history, facts)
      ? { modifier: STEADY.factor, flags: [STEADY.flag] }
      : { modifier: 1, flags: [] };
  }
  const product = [...by_flag.values()].reduce((all, factor) => all * factor, 1);
  // Two digits, as the answer shows it, so that what is shown is what was counted.
  return { modifier: Math.min(MOST, Math.round(product * 100) / 100), flags: [...by_flag.keys()] };
}
