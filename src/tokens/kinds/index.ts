/** Every kind of token, from the root down. To add one, write a file and list it here. */
import { agent } from './agent.ts';
import { app } from './app.ts';
import { bearer } from './bearer.ts';
import type { TokenKind } from './kind.ts';
import { override } from './override.ts';
import { session } from './session.ts';
import { subagent } from './subagent.ts';

export const tokenKinds: readonly TokenKind[] = [app, bearer, agent, subagent, session, override];
