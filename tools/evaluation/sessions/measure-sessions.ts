/** `weir eval --sessions`: how often people at work would have been held up, and how many harmful steps would have been stopped. */
import { counted } from '../../../src/lang/english.ts';
import { HIGH } from '../../../src/scoring/level.ts';
import type { Mode } from '../mode.ts';
import { allRecords } from '../read-records.ts';
import { countSessions } from './count-sessions.ts';
import { sessionsOf } from './in-order.ts';
import { renderSessions } from './render-sessions.ts';
import { createReplay, type ReplayedSession } from './replay.ts';

export const measureSessions: Mode = async (files, { source }) => {
  const { knowledgeHere } = await import('../../../src/engine/knowledge/knowledge-here.ts');
  const knowledge = await knowledgeHere();
  const { records, refused } = await allRecords(files, { sources: source });
  const replay = createReplay(knowledge);
  const replayed: ReplayedSession[] = [];
  for (const session of sessionsOf(records)) replayed.push(await replay(session));
  const rows = countSessions(replayed);
  return {
    n: records.length,
    refused,
    sources: new Set(rows.map((row) => row.source)),
    document: () => ({
      rule_set_version: knowledge.version,
      high: HIGH,
      refused,
      sessions: rows,
      held_because_of_memory: replayed.flatMap((session) =>
        session.steps
          .filter(({ is_held, score_alone }) => is_held !== score_alone >= HIGH)
          .map(({ id, label, action, score, score_alone }) => ({ id, label, action, score, score_alone })),
      ),
    }),
    render: (rendering) =>
      [
        `${counted(records.length, 'step')} in ${counted(replayed.length, 'session')}; rule set ${knowledge.version}`,
        renderSessions(rows, rendering),
      ].join('\n\n'),
  };
};
