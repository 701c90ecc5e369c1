/** Coding agents whose hooks Weir answers. To add a host, write its adapter and list it here. */
import { claudeCode, codex } from './claude-code.ts';
import { cursor } from './cursor.ts';
import type { Host } from './host.ts';

export const hosts: readonly Host[] = [claudeCode, cursor, codex];
