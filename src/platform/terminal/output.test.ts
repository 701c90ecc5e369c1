import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CliError, Output } from './output.ts';

test('writing waits for a slow reader', async () => {
  const pipe = new PassThrough({ highWaterMark: 4 });
  const output = new Output(pipe);
  let is_written = false;
  const writing = output.line('longer than the buffer').then(() => {
    is_written = true;
  });
  await turn();
  assert.equal(is_written, false);
  assert.equal(String(pipe.read()), 'longer than the buffer\n');
  await writing;
});

function failing(code: string): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('it failed'), { code })) });
}

test('a closed pipe is not a failure, and nothing more is written', async () => {
  const output = new Output(failing('EPIPE'));
  await output.line('one');
  await turn();
  await output.line('two');
  assert.equal(output.is_closed, true);
});

test('any other failure to write is an error', async () => {
  const output = new Output(failing('ENOSPC'));
  await output.line('one').catch(() => {});
  await turn();
  await assert.rejects(
    output.line('two'),
    (error: unknown) => error instanceof CliError && /it failed/.test(error.message),
  );
});
