/** All changes, as a list. To measure another one, add it to the list of its kind. */
import type { Change } from './change.ts';
import { FRAMING } from './framing.ts';
import { HOST_SHAPES } from './host-shapes.ts';
import { TOOL_NAMES } from './tool-names.ts';
import { TOOL_TEXTS } from './tool-texts.ts';
import { USER_TEXTS } from './user-texts.ts';

export const CHANGES: readonly Change[] = [...FRAMING, ...TOOL_TEXTS, ...TOOL_NAMES, ...USER_TEXTS, ...HOST_SHAPES];
