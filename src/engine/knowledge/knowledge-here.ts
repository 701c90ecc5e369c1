/** The knowledge of a command that scores without a server: as the environment's settings have it. */
import { readSettings } from '../../platform/settings.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { loadKnowledge } from './knowledge.ts';

export const knowledgeHere = (): Promise<Knowledge> =>
  loadKnowledge({ is_structural: readSettings(process.env).GNN_ENABLED });
