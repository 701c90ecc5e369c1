import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTraces } from '../../examples/demo/traces.ts';
import { jsonLines, parseLines, ROOT, runProgram, weir } from './support.ts';

const demo = (env: Record<string, string>) => runProgram(process.execPath, [join(ROOT, 'examples/demo.ts')], { env });
const demoFolders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('weir-demo-'));

test('the demo starts a server, plays every trace as its header says, and leaves nothing behind', async () => {
  const before = demoFolders();
  const { code, stdout, stderr } = await demo({ WEIR_URL: 'http://127.0.0.1:1', WEIR_API_KEY: '' });
  assert.match(stdout, /^No server answers at http:\/\/127\.0\.0\.1:1; starting one for this run\.$/m, stderr);
  const traces = await readTraces();
  for (const { name } of traces)
    assert.ok(stdout.includes(name), `${name} is missing:\n${stdout.slice(-500)}\n${stderr}`);
  const harmful = traces.filter((trace) => trace.expect === 'harmful').length;
  const harmless = traces.length - harmful;
  assert.match(stdout, new RegExp(`kept below high \\(61\\): +${harmless} of ${harmless}$`, 'm'), stdout);
  assert.match(stdout, new RegExp(`at high or critical: +${harmful} of ${harmful}$`, 'm'), stdout);
  assert.equal(code, 0);
  assert.deepEqual(
    demoFolders().filter((name) => !before.includes(name)),
    [],
  );
});

test('every trace is a header and events that the API takes', async () => {
  const traces = await readTraces();
  assert.ok(traces.length >= 12);
  for (const trace of traces) {
    assert.match(trace.expect, /^(harmless|harmful)$/, trace.file);
    const step = trace.harmful_step ?? null;
    assert.equal(step === null, trace.expect === 'harmless', `${trace.file}: only a harmful trace has a harmful step`);
    assert.ok(step === null || (step >= 1 && step <= trace.events.length), trace.file);
  }
  const { code, stdout, stderr } = await weir(['score', '-'], {
    input: jsonLines(traces.flatMap((trace) => trace.events)),
  });
  assert.equal(code, 0, stderr + stdout.slice(0, 500));
  assert.equal(parseLines(stdout).length, traces.flatMap((trace) => trace.events).length);
});
