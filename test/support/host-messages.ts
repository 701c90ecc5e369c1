/** What a test and its host process (`host-child.ts`) say to each other. */

/** A command line, with all of the environment that its process would have. */
export interface CommandRequest {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Standard input. */
  input: string | Uint8Array;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ServerRequest {
  env: NodeJS.ProcessEnv;
  /** Roles as on the command line; undefined: all. */
  roles: string | undefined;
}

export interface ServerReply {
  /** To stop it by. */
  server: number;
  /** The welcome, as on standard output. */
  stdout: string;
}

/** For each thing to do, what the test sends and what the host replies. */
export interface Tasks {
  command: { request: CommandRequest; reply: Ended };
  serve: { request: ServerRequest; reply: ServerReply };
  stop: { request: { server: number }; reply: null };
}

export type Request = {
  [Task in keyof Tasks]: { id: number; task: Task; request: Tasks[Task]['request'] };
}[keyof Tasks];

/** `error` with what was printed, when the task failed. */
export type Reply = { id: number; value: unknown } | { id: number; error: string };
