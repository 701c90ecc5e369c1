/** What can be known of the deployment files without a container engine: they parse, and they agree with the program. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { loadAll } from 'js-yaml';
import { LONGEST_STOP_MS } from '../../src/cli/serve.ts';
import { settingRows } from '../../src/platform/settings.ts';
import { roles } from '../../src/roles.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { temporaryDirectory } from '../support/weir.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, 'deploy', path), 'utf8');

interface Probe {
  httpGet?: { path: string; port: string };
  grpc?: { port: number };
}
interface Container {
  args?: string[];
  resources: { requests: object; limits: { memory: string } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  ports?: { name: string; containerPort: number }[];
  env?: { name: string; value: string }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  securityContext: { runAsNonRoot: boolean; runAsUser: number; runAsGroup: number };
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  stringData?: Record<string, string>;
  spec: {
    template: { spec: { containers: Container[]; terminationGracePeriodSeconds: number } };
    selector: { matchLabels?: object };
    ports: { port: number }[];
    podSelector?: { matchLabels: { role?: string }; matchExpressions?: { values: string[] }[] };
    ingress?: { from?: object[]; ports: { port: number }[] }[];
  };
}
interface Service {
  /** Merged by Compose; the YAML here is read without. */
  '<<'?: Service;
  command?: string[];
  environment?: Record<string, string>;
  networks?: string[];
  ports?: string[];
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  configs: Record<string, { content: string }>;
}
const merged = (service: Service): Service => ({ ...(service['<<'] && merged(service['<<'])), ...service });

const manifests = readdirSync(join(ROOT, 'deploy/kubernetes')).flatMap((name) =>
  (loadAll(text(`kubernetes/${name}`)) as Manifest[]).map((manifest) => ({ name, manifest })),
);
const deployments = manifests.filter(({ manifest }) => manifest.kind === 'Deployment');
const portOf = new Map(
  roles.map(({ name, port }) => [name as string, port === null ? null : settingRows[port].default]),
);

/** User and group of the image. Kubernetes takes numbers only: it cannot look up whether a name is root. */
function userOfImage(): [user: number, group: number] {
  const [, user, group] = /^USER (\d+):(\d+)$/m.exec(text('Dockerfile')) ?? assert.fail('USER is not a number');
  return [Number(user), Number(group)];
}

test('every role that a deployment starts is one, with its port, its probes and its limits', () => {
  const started = deployments.map(({ manifest }) => manifest.spec.template.spec.containers[0]!.args![2]);
  assert.deepEqual(started.sort(), roles.map(({ name }) => name).sort());
  for (const { name, manifest } of deployments) {
    const { containers, terminationGracePeriodSeconds } = manifest.spec.template.spec;
    const [container] = containers;
    const role = container!.args![2]!;
    assert.ok(portOf.has(role), `${name}: ${role}`);
    const port = portOf.get(role) ?? null;
    const doors = container!.ports!.filter((one) => one.name !== 'metrics');
    assert.equal(doors[0]?.containerPort ?? null, port, name);
    if (port !== null) {
      const { startupProbe, livenessProbe, readinessProbe } = container!;
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        if (role === 'engine') assert.equal(probe?.grpc?.port, port, name);
        else assert.equal(probe?.httpGet?.path, '/health', name);
      }
      const beside = manifests.filter((one) => one.name === name).map((one) => one.manifest);
      const find = (kind: string) => beside.find((one) => one.kind === kind)!.spec;
      assert.equal(find('Service').ports[0]!.port, port, name);
      assert.deepEqual(find('Service').selector, manifest.spec.selector.matchLabels, name);
      assert.deepEqual(find('PodDisruptionBudget').selector, manifest.spec.selector, name);
    }
    assert.ok(container!.resources.limits.memory, name);
    const { runAsNonRoot, runAsUser, runAsGroup } = container!.securityContext;
    assert.equal(runAsNonRoot, true, name);
    assert.deepEqual([runAsUser, runAsGroup], userOfImage(), name);
    const leaving_s = Number(container!.lifecycle?.preStop.exec.command[1] ?? 0);
    assert.ok(terminationGracePeriodSeconds * 1_000 > leaving_s * 1_000 + LONGEST_STOP_MS + 1_000, name);
  }
});

test('every node shows its measures on one port, to those with the label only, and workers are probed there', () => {
  const compose = loadAll(text('compose.yaml'))[0] as Compose;
  const policies = manifests.filter(
    ({ name, manifest }) => manifest.kind === 'NetworkPolicy' && name !== 'stores.yaml',
  );
  const guarded = policies.flatMap(({ manifest }) => manifest.spec.ingress!);
  const rules = guarded.filter(({ ports }) => ports.some(({ port }) => port === 9_090));
  assert.equal(rules.length, 2);
  for (const { from, ports } of rules) {
    assert.deepEqual(from, [{ podSelector: { matchLabels: { 'weir-metrics': 'allowed' } } }]);
    assert.equal(ports.length, 1);
  }
  const roles_guarded = policies.flatMap(({ manifest: { spec } }) => [
    ...(spec.podSelector!.matchLabels.role === undefined ? [] : [spec.podSelector!.matchLabels.role]),
    ...(spec.podSelector!.matchExpressions?.[0]?.values ?? []),
  ]);
  assert.deepEqual(roles_guarded.sort(), roles.map(({ name }) => name).sort(), 'no pod without a policy');
  for (const { name, manifest } of deployments) {
    const [container] = manifest.spec.template.spec.containers;
    const port = container!.ports!.find((one) => one.name === 'metrics')!.containerPort;
    assert.deepEqual(container!.env, [{ name: 'METRICS_PORT', value: String(port) }], name);
    assert.equal(port, 9_090, name);
  }
  const worker = deployments.find(({ name }) => name === 'worker.yaml')!.manifest.spec.template.spec.containers[0]!;
  for (const probe of [worker.startupProbe, worker.livenessProbe]) {
    assert.deepEqual(probe!.httpGet, { path: '/health', port: 'metrics' });
  }
  for (const [name, service] of Object.entries(compose.services)) {
    const { command, environment, ports = [] } = merged(service);
    if (command?.[0] !== 'serve') continue;
    assert.equal(environment!['METRICS_PORT'], '9090', name);
    assert.ok(!ports.some((one) => one.includes('9090')), `${name}: its measures are reachable from outside`);
  }
});

/** Where a URL has no password, the PostgreSQL driver takes it from there. */
const READ_BY_THE_DRIVER = 'PGPASSWORD';

test('every setting that the files name is one', () => {
  const compose = loadAll(text('compose.yaml'))[0] as Compose;
  const secret = manifests.find(({ manifest }) => manifest.kind === 'Secret')!.manifest.stringData!;
  const weir = Object.entries(compose.services)
    .map(([name, service]) => [name, merged(service)] as const)
    .filter(([, { command }]) => command?.[0] === 'serve');
  assert.deepEqual(
    weir.map(([name]) => name),
    ['api-1', 'api-2', 'engine', 'worker-1', 'worker-2', 'auth'],
  );
  for (const [name, service] of weir) {
    for (const setting of Object.keys(service.environment!))
      assert.ok(setting in settingRows || setting === READ_BY_THE_DRIVER, `${name}: ${setting}`);
    assert.ok(portOf.has(service.command![2]!), name);
    assert.ok(Number.parseInt(service.stop_grace_period!, 10) * 1_000 > LONGEST_STOP_MS + 1_000, name);
    for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/, `${name} is reachable from outside`);
  }
  for (const setting of Object.keys(secret)) assert.ok(setting in settingRows, setting);
  // What one node encrypts the others have to read, and what one address trusts the others have to ask for.
  for (const setting of ['DATABASE_URL', 'MASTER_KEY', 'AUTH_ADMIN_KEY']) {
    assert.ok(setting in secret, setting);
    for (const [name, { environment }] of weir) assert.ok(setting in environment!, `${name}: ${setting}`);
  }
});

/** A variable without which Compose starts nothing: no default, and not empty. */
const demanded = (name: string): string => `\${${name}:?set ${name}}`;

test('the stores ask for a password that somebody has set, and are reachable for Weir alone', () => {
  const compose = loadAll(text('compose.yaml'))[0] as Compose;
  const { postgres, redis, nats } = compose.services;
  assert.equal(postgres!.environment!['POSTGRES_PASSWORD'], demanded('POSTGRES_PASSWORD'));
  assert.equal(redis!.environment!['REDISCLI_AUTH'], demanded('REDIS_PASSWORD'));
  assert.match(redis!.command!.join(' '), /requirepass %s\\n" "\$\$REDISCLI_AUTH"/);
  assert.deepEqual(nats!.command, ['-c', '/etc/nats/weir.conf']);
  const { content } = compose.configs['nats']!;
  assert.ok(content.includes(`authorization { user: "weir", password: "${demanded('NATS_PASSWORD')}" }`), content);
  for (const variable of text('compose.yaml').matchAll(/(?<!\$)\$\{?(\w+)[^}]*\}/g))
    assert.equal(variable[0], demanded(variable[1]!), 'no variable has a default');
  for (const store of [postgres!, redis!, nats!]) {
    assert.deepEqual(store.networks, ['stores']);
    assert.equal(store.ports, undefined);
  }
  assert.equal(compose.networks['stores']!.internal, true);
  for (const service of Object.values(compose.services)) {
    const { command, environment, networks } = merged(service);
    if (command?.[0] !== 'serve') continue;
    assert.ok(networks!.includes('stores'));
    assert.ok(environment!['REDIS_URL']!.includes(`:${demanded('REDIS_PASSWORD')}@`));
    assert.ok(environment!['NATS_URL']!.includes(`:${demanded('NATS_PASSWORD')}@`));
    assert.equal(environment!['PGPASSWORD'], demanded('POSTGRES_PASSWORD'));
  }
});

test('Kubernetes: every URL of a store has a password, and its port is open for pods of Weir alone', () => {
  const secret = manifests.find(({ manifest }) => manifest.kind === 'Secret')!.manifest.stringData!;
  const stores = { DATABASE_URL: 'postgres', REDIS_URL: 'redis', NATS_URL: 'nats' };
  for (const [setting, store] of Object.entries(stores)) {
    const url = new URL(secret[setting]!);
    assert.notEqual(url.password, '', setting);
    const { spec } = manifests.find(({ manifest }) => manifest.metadata.name === `weir-store-${store}`)!.manifest;
    assert.deepEqual(spec.podSelector, { matchLabels: { 'weir-store': store } });
    assert.equal(spec.ingress!.length, 1);
    const [{ from, ports }] = spec.ingress as [{ from: { podSelector: { matchLabels: object } }[]; ports: object[] }];
    assert.deepEqual(
      from.map(({ podSelector }) => podSelector.matchLabels),
      [{ app: 'weir' }],
    );
    assert.deepEqual(ports, [{ port: Number(url.port) }]);
  }
});

interface Ran {
  code: number;
  stderr: string;
}
const runNode = (args: string[], cwd: string, env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((done) => {
    execFile(process.execPath, args, { cwd, env }, (error, _, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });

test('the health check of gRPC tells whether it serves', async () => {
  const { services } = loadAll(text('compose.yaml'))[0] as Compose;
  const [, , , code] = merged(services['engine']!).healthcheck!.test as [string, string, string, string];
  assert.ok(code.includes(`127.0.0.1:${portOf.get('engine')}'`));
  const weir = await startHostedWeir({ roles: 'engine' });
  const check = (): Promise<Ran> => runNode(['-e', code.replace(/127\.0\.0\.1:\d+/, weir.grpc)], ROOT);
  try {
    const { code, stderr } = await check();
    assert.equal(code, 0, stderr);
  } finally {
    await weir.stop();
  }
  assert.equal((await check()).code, 1);
});

test('what the image has is enough to start', async () => {
  const directory = temporaryDirectory();
  try {
    const copied = text('Dockerfile').matchAll(/^COPY (\S+) \1$/gm);
    for (const [, path] of copied) {
      const target = join(directory, path!);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(ROOT, path!), target, { recursive: true, verbatimSymlinks: true });
    }
    for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(directory, name));
    // As far as its database, which is not there.
    const env = { DATABASE_URL: 'postgres://weir@127.0.0.1:1/weir', MASTER_KEY: 'x'.repeat(32) };
    const { code, stderr } = await runNode(['src/main.ts', 'serve', '--roles', 'engine'], directory, env);
    assert.equal(code, 1);
    assert.match(stderr, /^weir: .*127\.0\.0\.1:1/m);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('the image is made of files that are there, installs what the lock file says, and is not run as root', () => {
  const lines = text('Dockerfile').split('\n');
  const copied = lines.filter((line) => line.startsWith('COPY ')).flatMap((line) => line.split(' ').slice(1, -1));
  for (const path of copied) assert.ok(existsSync(join(ROOT, path)), path);
  for (const needed of ['package-lock.json', 'src', 'ontology', 'proto', 'bin'])
    assert.ok(copied.includes(needed), needed);
  assert.ok(lines.some((line) => line.startsWith('RUN npm ci --omit=dev')));
  for (const id of userOfImage()) assert.ok(id > 0);
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const major = dependencies['node']!.split('.')[0];
  assert.ok(
    lines.some((line) => line.startsWith(`FROM node:${major}-`)),
    'the Node that this version is tested on',
  );
});
