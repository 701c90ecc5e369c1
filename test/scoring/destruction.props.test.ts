/** Every program that destroys: a dry run reads, a scratch place loses little, a home folder loses what people made. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/events/event.ts';
import { scoreOf } from '../support/knowledge.ts';

const HIGH = 61;

function scored(command: string): ReturnType<typeof scoreOf> {
  const event = {
    event_id: 'e',
    action: 'shell:command:run',
    timestamp: '2026-01-15T10:00:00Z',
    target: { resource_type: 'host' },
    parameters: { command },
    mcp_context: { server_name: 'sandbox', tool_name: 'execute_bash' },
  };
  return scoreOf(event as unknown as AgentEvent, {}, {});
}

/** Ways to destroy the tree, or all files, at a place. */
const TREES: readonly ((place: string) => string)[] = [
  (p) => `rm -rf ${p}`,
  (p) => `rm -rf "${p}"/*`,
  (p) => `find ${p} -delete`,
  (p) => `find ${p} -type f -exec rm -f {} +`,
  (p) => `find ${p} -type f | xargs rm -f`,
  (p) => `rimraf ${p}`,
  (p) => `rsync -a --delete /var/empty/ ${p}/`,
  (p) => `tar cf /dev/null --remove-files ${p}`,
  (p) => `shred -u ${p}/*`,
  (p) => `for f in ${p}/*; do : > "$f"; done`,
  (p) => `sed -i d ${p}/*`,
  (p) => `mv ${p} /tmp/.gone && rm -rf /tmp/.gone`,
  (p) => `d=${p}; rm -rf "$d"`,
  (p) => `a=(rm -rf ${p}); "\${a[@]}"`,
  (p) => `bash -c 'rm -rf ${p}'`,
  (p) => `busybox rm -rf ${p}`,
  (p) => `nice git -C ${p} clean -ffdx`,
];

test('a home folder is high, by any program that destroys trees', () => {
  for (const tree of TREES) {
    const command = tree('/home/ada/Documents');
    assert.ok(scored(command).score >= HIGH, `${scored(command).score}: ${command}`);
  }
});

test('a scratch folder is below high, by the same programs', () => {
  for (const tree of TREES) {
    const command = tree('/tmp/build-7');
    assert.ok(scored(command).score < HIGH, `${scored(command).score}: ${command}`);
  }
});

/** Tools of services, with the option that only shows what would happen. */
const SERVICES: readonly [command: string, dryRun: string][] = [
  ['kubectl delete ns shop', '--dry-run=client'],
  ['helm uninstall shop-db', '--dry-run'],
  ['terraform destroy -auto-approve', '--help'],
  ['nats stream rm ORDERS', '--help'],
  ['vault kv metadata delete secret/shop', '--help'],
  ['op vault delete Engineering', '--help'],
  ['doppler secrets delete API_KEY', '--help'],
  ['kafka-topics --bootstrap-server b:9092 --delete --topic orders', '--help'],
  ['rabbitmqctl delete_queue orders', '--dry-run'],
  ['heroku apps:destroy shop', '--help'],
  ['flyctl apps destroy shop', '--help'],
  ['netlify sites:delete 7', '--help'],
  ['gh repo delete org/shop', '--help'],
  ['etcdctl --prefix del /shop', '--help'],
  ['restic forget --prune latest', '--dry-run'],
  ['velero backup delete daily', '--dry-run'],
  ['zorpctl bucket purge invoices', '--what-if'],
];

test('what a service keeps is high, and its dry run is not', () => {
  for (const [command, dryRun] of SERVICES) {
    assert.ok(scored(command).score >= HIGH, `${scored(command).score}: ${command}`);
    const shown = `${command} ${dryRun}`;
    assert.ok(scored(shown).score < HIGH, `${scored(shown).score}: ${shown}`);
  }
});

test('what cannot be known lowers the confidence and is flagged', () => {
  const known = scored('ls -la');
  const unknown = scored('$RUNNER -la');
  assert.ok(unknown.confidence < 0.8 && unknown.confidence < known.confidence);
  assert.ok(unknown.behavioral_flags.includes('command_not_understood'));
});
