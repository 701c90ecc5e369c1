/** All programs that a shell command may name. To add one, add its name to a row of the table it belongs in. */
import type { ProgramTable } from '../shell/call.ts';
import { ARCHIVE_PROGRAMS } from './archives.ts';
import { CHANGING_PROGRAMS } from './change-files.ts';
import { CLOUD_PROGRAMS } from './cloud.ts';
import { GUARD_PROGRAMS } from './guards.ts';
import { INTERPRETER_PROGRAMS } from './interpreters.ts';
import { NETWORK_PROGRAMS } from './network.ts';
import { READING_PROGRAMS } from './read-files.ts';
import { SERVICE_PROGRAMS } from './services.ts';
import { TEXT_PROGRAMS } from './text.ts';
import { TOOL_PROGRAMS } from './tools.ts';
import { WRAPPING_PROGRAMS } from './wrappers.ts';

/** Programs that do nothing but what their effects say: without any, a script of them only computes and prints. */
export const QUIET_PROGRAMS: ProgramTable = { ...TEXT_PROGRAMS, ...READING_PROGRAMS };

export const PROGRAMS: ProgramTable = {
  ...TOOL_PROGRAMS,
  ...CLOUD_PROGRAMS,
  ...INTERPRETER_PROGRAMS,
  ...NETWORK_PROGRAMS,
  ...ARCHIVE_PROGRAMS,
  ...GUARD_PROGRAMS,
  ...SERVICE_PROGRAMS,
  ...WRAPPING_PROGRAMS,
  ...TEXT_PROGRAMS,
  ...CHANGING_PROGRAMS,
  ...READING_PROGRAMS,
};
