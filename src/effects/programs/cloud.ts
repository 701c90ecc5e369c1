/** Containers, clusters, clouds and infrastructure as code. */

import { FROM, HOLE } from '../data.ts';
import { readFile, sendTo, writeFile } from '../deeds.ts';
import type { EffectKind, Scope } from '../effects.ts';
import { hostOf } from '../hosts.ts';
import { hostOpening } from '../parameters/manifests.ts';
import {
  type Call,
  type Field,
  field,
  isDryRun,
  lineOf,
  type Program,
  type ProgramTable,
  programTable,
  readOptions,
  wordsOf,
} from '../shell/call.ts';

const NOTHING = { text: HOLE, taint: 0 };

/** Flags that open the container towards its host. */
const OPEN_CONTAINER =
  /--privileged\b|(?:-v|--volume)[ =]?\/(?:etc|root|var|usr|proc|sys|dev|home|boot)?\/?:|docker\.sock|--(?:pid|ipc|uts|userns|net|network)[ =]host|--cap-add|apparmor[=:]unconfined|seccomp[=:]unconfined|--device[ =]|type=bind,(?:source|src)=\/(?:,|etc|root|var|proc|sys|dev)|--security-opt[ =]?(?:no-new-privileges=false|label[:=]disable)/;

const docker: Program = (c) => {
  const text = lineOf(c);
  const valued =
    'v volume e env p publish n name w workdir u user network net mount f file t tag l label m memory entrypoint restart cap-add device security-opt pid ipc H host c context env-file platform add-host cpus shm-size link';
  const options = readOptions(c.args, valued, true);
  const first = options.operands[0]?.text ?? '';
  const isGroup = /^(?:container|image|volume|network|system|compose|builder|buildx)$/.test(first);
  const verb = (isGroup ? options.operands[1]?.text : first) ?? '';
  const rest = readOptions(options.operands.slice(isGroup ? 2 : 1), valued, true);
  const object = rest.operands[0]?.text ?? first;
  if (/^(?:run|create)$/.test(verb)) {
    if (OPEN_CONTAINER.test(text)) c.world.add('breaks_isolation', 'one', object, c.excerpt);
    c.world.add('runs_code', 'one', object, c.excerpt);
    if (OPEN_CONTAINER.test(text) && rest.operands.length > 1) c.invoke(rest.operands.slice(1), c.stdin);
  } else if (verb === 'exec') {
    c.world.add('moves_laterally', 'one', object, c.excerpt);
    if (rest.operands.length > 1) c.invoke(rest.operands.slice(1), c.stdin);
  } else if (/^(?:rm|rmi|prune|down|kill|stop|pause)$/.test(verb)) removeContainers(c, verb, first, object, text);
  else if (verb === 'push') c.world.add('deploys', 'one', object, c.excerpt);
  else if (/^(?:pull|load|import)$/.test(verb)) c.world.add('downloads', 'one', object, c.excerpt);
  else if (/^(?:build|up|start|restart|compose)$/.test(verb)) c.world.add('runs_code', 'one', object, c.excerpt);
  return NOTHING;
};

function removeContainers(c: Call, verb: string, group: string, object: string, text: string): void {
  const isFound = c.args.some((a) => a.taint !== 0 || a.text.includes(HOLE));
  if (/^(?:kill|stop|pause)$/.test(verb)) {
    c.world.add('disrupts', isFound ? 'many' : 'one', object, c.excerpt);
    return;
  }
  // Without a flag only what nobody uses goes, and a project takes its own volumes along.
  const isAll = verb === 'prune' && /^(?:system|volume)$/.test(group) && /\s-\w*a|--all|--volumes/.test(text);
  const hasVolumes = (verb === 'down' && /\s-\w*v|--volumes/.test(text)) || (verb === 'rm' && group === 'volume');
  const scope: Scope = isAll
    ? 'everything'
    : isFound || hasVolumes || verb === 'prune'
      ? 'many'
      : verb === 'down'
        ? 'scratch'
        : 'one';
  c.world.add('deletes', scope, object, c.excerpt);
}

/** Lists of secrets hold names and sizes; these ask for what is in them. */
const SHOWS_VALUES = /(?:\s-o[ =]?|\s--output[ =]|\s--template[ =])(?!(?:name|wide)\b)\S/;

const kubectl: Program = (c) => {
  const text = lineOf(c);
  const options = readOptions(
    c.args,
    'n namespace f filename l selector o output context c container p patch s server replicas token kubeconfig as',
    true,
  );
  const verb = options.operands[0]?.text ?? '';
  const rest = readOptions(
    options.operands.slice(1),
    'n namespace f filename l selector o output context c container p patch replicas clusterrole user serviceaccount group',
  );
  const object = rest.operands.map((o) => o.text).join(' ') || rest.value('f', 'filename');
  if (verb !== 'exec' && isDryRun(c.args)) {
    c.world.add('reads', 'one', object, c.excerpt);
    return NOTHING;
  }
  if (/^(?:delete|drain)$/.test(verb)) {
    const isAll = /--all\b|\b(?:ns|namespaces?|pv|pvc|nodes?|crd)\b/.test(text);
    c.world.add('deletes', isAll ? 'everything' : /-l|--selector/.test(text) ? 'many' : 'one', object, c.excerpt);
  } else if (verb === 'exec') {
    c.world.add('moves_laterally', 'one', object, c.excerpt);
    const at = c.args.findIndex((a) => a.text === '--');
    if (at >= 0) c.invoke(c.args.slice(at + 1), c.stdin);
  } else if (/^(?:scale|autoscale|cordon|taint)$/.test(verb) && (/--replicas[= ]0\b/.test(text) || verb === 'cordon'))
    c.world.add('disrupts', 'many', object, c.excerpt);
  else if (/^(?:apply|create|replace|patch|set|rollout|scale|edit|label|annotate|run|expose)$/.test(verb)) {
    c.world.add('deploys', 'one', object, c.excerpt);
    if (/rolebinding/.test(text))
      c.world.add('grants', /cluster-?admin|clusterrolebinding/.test(text) ? 'everything' : 'one', object, c.excerpt);
    const file = rest.value('f', 'filename') || options.value('f', 'filename');
    const manifest = file === '-' ? c.stdin?.text : c.world.files.get(c.world.describe(file).path)?.text;
    if (
      /privileged["']?\s*[:=]\s*true|hostpid|hostnetwork|hostpath/i.test(text) ||
      hostOpening(c.world.ontology, manifest ?? '') !== ''
    )
      c.world.add('breaks_isolation', 'one', object, c.excerpt);
  } else if (verb === 'get' && /\bsecrets?\b/.test(text) && SHOWS_VALUES.test(text)) {
    c.world.add('reads_credentials', rest.operands.length > 1 ? 'one' : 'many', object, c.excerpt);
    return { text: HOLE, taint: FROM.secret };
  } else if (verb === 'config' && /view.*--raw/.test(text))
    c.world.add('reads_credentials', 'one', 'kubeconfig', c.excerpt);
  else if (verb === 'cp')
    copyFromPod(
      c,
      rest.operands.map((o) => o.text),
    );
  else if (/^(?:proxy|port-forward)$/.test(verb)) c.world.add('opens_channel', 'scratch', object, c.excerpt);
  else if (/^(?:get|describe|logs|top)$/.test(verb)) c.world.add('reads', 'one', object, c.excerpt);
  return NOTHING;
};

function copyFromPod(c: Call, [from = '', to = '']: readonly string[]): void {
  if (from.includes(':')) writeFile(c.world, to, { text: HOLE, taint: FROM.file }, c.excerpt);
  else sendTo(c.world, to.split(':')[0]!, readFile(c.world, from, c.excerpt), c.excerpt);
}

const terraform: Program = (c) => {
  const text = lineOf(c);
  const words = c.args.filter((a) => !a.text.startsWith('-')).map((a) => a.text);
  if (
    words.some((w) => /^(?:plan|preview|diff|validate|fmt|show|output|graph|synth)$/.test(w)) &&
    !words.some((w) => /destroy|delete|^(?:apply|up|update|deploy|refresh|import|rm|push)$/.test(w))
  )
    return NOTHING;
  if (/--?auto-approve|--yes\b|\s-y\b/.test(text)) c.world.add('bypasses_checks', 'one', 'plan review', c.excerpt);
  if (/\bdestroy\b/.test(text))
    c.world.add('deletes', /-target/.test(text) ? 'many' : 'everything', 'infrastructure', c.excerpt);
  else if (/\bstate (?:rm|push)|\bworkspace delete|\bstack rm/.test(text))
    c.world.add('deletes', 'one', 'state', c.excerpt);
  else if (/\b(?:apply|up|deploy|refresh|import)\b/.test(text))
    c.world.add('deploys', 'many', 'infrastructure', c.excerpt);
  return NOTHING;
};

const helm: Program = (c) => {
  const [verb = '', name = ''] = wordsOf(c);
  if (isDryRun(c.args)) return NOTHING;
  if (/^(?:uninstall|delete|rollback)$/.test(verb))
    c.world.add(verb === 'rollback' ? 'deploys' : 'deletes', 'many', name, c.excerpt);
  else if (/^(?:install|upgrade)$/.test(verb)) c.world.add('deploys', 'many', name, c.excerpt);
  return NOTHING;
};

const ansible: Program = (c) => {
  const options = readOptions(c.args, 'm a i e u l module-name args inventory limit extra-vars');
  if (c.name === 'ansible') {
    c.world.add('moves_laterally', 'many', options.operands[0]?.text ?? '', c.excerpt);
    if (/^(?:shell|command|raw|script)?$/.test(options.value('m', 'module-name')))
      c.world.run('shell', options.value('a', 'args'));
  } else c.world.add('deploys', 'many', options.operands[0]?.text ?? '', c.excerpt);
  return NOTHING;
};

/** What a cloud command does, by the words of its name; the first match counts. */
const CLOUD_VERBS: readonly [RegExp, EffectKind, Scope][] = [
  [
    /secretsmanager get-secret|get-parameters? .*--with-decryption|kms decrypt|auth (?:print-access|application-default print)|secrets versions access|keyvault secret show|account get-access-token|get-session-token|iam create-access-key|service-accounts keys create|storage account keys list|get-login-password|configure get|ecr get-authorization/,
    'reads_credentials',
    'one',
  ],
  [
    /cloudtrail (?:stop-logging|delete-trail|put-event-selectors)|logging (?:sinks|logs) delete|logs delete-log|delete-flow-logs|monitor (?:diagnostic-settings|activity-log\S*) delete|log-profiles delete/,
    'tampers_with_logs',
    'everything',
  ],
  [
    /guardduty (?:delete|disassociate|update-detector)|securityhub disable|configservice (?:stop|delete)|macie2 disable|inspector2? disable|delete-alarms|delete-bucket-encryption|delete-public-access-block|waf\S* delete|shield delete|security-center.*(?:disable|off)|disable-alarm/,
    'tampers_with_guards',
    'one',
  ],
  [
    /(?:delete|deregister|remove)[- ](?:db-)?(?:cluster-)?(?:snapshots?|backups?|recovery-point|image)|snapshots? delete|backups? delete|delete-backup|delete-vault|put-bucket-versioning .*Suspended|schedule-key-deletion|disable-key\b|keys versions destroy|keyvault (?:key )?(?:purge|delete)|retention-policy clear/,
    'destroys_recovery',
    'everything',
  ],
  [
    /attach-\w+-policy|put-\w+-policy|add-user-to-group|add-iam-policy-binding|set-iam-policy|role assignment create|create-login-profile|update-assume-role-policy|add-permission|put-bucket-acl|put-object-acl|--acl[= ]public|public-read|iam ch allUsers|authorize-security-group-ingress|firewall-rules create|nsg rule create|add-role-to|set-permission/,
    'grants',
    'one',
  ],
  [
    /iam create-user|create-role\b|ad (?:user|sp|app) create|service-accounts create|create-function|events put-rule|scheduler jobs create/,
    'persists',
    'one',
  ],
  [/sts assume-role|iam pass-role|auth activate-service-account|config set auth\/impersonate/, 'escalates', 'one'],
  [
    /s3 rb|s3 rm .*--recursive|(?:gsutil|storage) .*\brm\b.*(?:-\w*r|--recursive|\*\*)|delete-(?:bucket|db-instance|db-cluster|table|stack|cluster|file-system|hosted-zone|user-pool|organization|account|vpc|repository)\b|group delete|projects delete|sql (?:instances|databases) delete|resource-group delete|clusters? delete|delete-objects|rb --force|buckets delete/,
    'deletes',
    'everything',
  ],
  [
    /\b(?:delete|destroy|remove|terminate|purge|rm)\b|\b(?:delete|terminate|deregister|remove|purge)-[\w-]+|s3 rm|storage rm/,
    'deletes',
    'one',
  ],
  [
    /\b(?:stop|reboot|deallocate|suspend|disable|detach|revoke)\b|\b(?:stop|reboot|disable|detach|suspend|revoke)-[\w-]+|resize .*--size 0|--(?:desired-capacity|min-instances|max-instances|num-nodes)[= ]0\b/,
    'disrupts',
    'one',
  ],
  [
    /\b(?:deploy|create|update|apply|publish|start|import|set|add|enable|restore|submit|resize)\b|\b(?:create|update|put|run|start|publish|modify|register|associate|attach|enable|import|restore|copy|request|change)-[\w-]+/,
    'deploys',
    'one',
  ],
  [
    /\b(?:list|describe|get|show|ls|head|cat|du|stat)\b|\b(?:list|describe|get|head|batch-get|scan|query|search)-?[\w-]*/,
    'reads',
    'one',
  ],
];

const cloud: Program = (c) => {
  const text = lineOf(c);
  const options = readOptions(
    c.args,
    'region profile output query project zone bucket key body policy-arn user-name role-name subscription resource-group acl endpoint-url',
  );
  if (isDryRun(c.args)) return NOTHING;
  const copied = /\b(?:cp|sync|mv|rsync|upload|upload-batch|copy|put-object)\b/.exec(text);
  if (copied !== null && /:\/\/|--destination|blob upload|put-object|:/.test(text))
    return copyCloud(
      c,
      options.operands.map((o) => o.text),
    );
  for (const [pattern, kind, scope] of CLOUD_VERBS) {
    if (!pattern.test(text)) continue;
    c.world.add(
      kind,
      scope === 'everything' && kind === 'deletes' && isBelowPrefix(options.operands) ? 'many' : scope,
      options.operands
        .slice(0, 4)
        .map((o) => o.text)
        .join(' '),
      c.excerpt,
    );
    if (kind === 'destroys_recovery')
      c.world.add(
        'deletes',
        'one',
        options.operands
          .slice(0, 4)
          .map((o) => o.text)
          .join(' '),
        c.excerpt,
      );
    return { text: HOLE, taint: kind === 'reads_credentials' ? FROM.secret | FROM.network : FROM.network };
  }
  return NOTHING;
};

/** `s3://bucket/folder/` is a part of the bucket. */
function isBelowPrefix(operands: readonly Field[]): boolean {
  const places = operands.filter((o) => /^(?:s3|gs):\/\//.test(o.text));
  return places.length > 0 && places.every((p) => /^\w+:\/\/[^/*]+\/[\w.-]/.test(p.text));
}

function copyCloud(c: Call, operands: readonly string[]): { text: string; taint: number } | undefined {
  const isPlace = (t: string): boolean =>
    /^(?:s3|gs|az|abfss?|https?):\/\//.test(t) || /^[\w-]{2,}:[^/\\]/.test(t) || /^[\w-]{2,}:$/.test(t);
  const at = operands.findIndex((o) => /^(?:cp|sync|mv|rsync|copy|upload|upload-batch|put-object)$/.test(o));
  const [from = '', to = ''] = operands.slice(at + 1);
  const scope = /--recursive|\s-\w*r\b|sync/.test(lineOf(c)) ? 'many' : 'one';
  if (isPlace(from) && !isPlace(to))
    writeFile(c.world, to === '' ? '.' : to, { text: HOLE, taint: FROM.network }, c.excerpt, scope);
  else {
    const data =
      isPlace(from) || from === '-' || from === ''
        ? (c.stdin ?? { text: HOLE, taint: FROM.file })
        : readFile(c.world, from, c.excerpt, scope);
    const place = to === '' ? c.name : to;
    c.world.noteHost(hostOf(place));
    sendTo(
      c.world,
      /^\w+:\/\//.test(place) ? place.replace(/^\w+:\/\//, '').split('/')[0]! : place,
      data,
      c.excerpt,
      scope,
    );
  }
  if (/--delete\b/.test(lineOf(c))) c.world.add('deletes', 'many', to, c.excerpt);
  return field(HOLE);
}

export const CLOUD_PROGRAMS: ProgramTable = programTable({
  'docker podman nerdctl': docker,
  'docker-compose': (c) => docker({ ...c, args: [field('compose'), ...c.args] }),
  'kubectl oc k k3s': kubectl,
  helm,
  'terraform tofu terragrunt pulumi cdk': terraform,
  'ansible ansible-playbook': ansible,
  'aws gcloud gsutil az azcopy rclone doctl linode hcloud oci ibmcloud s3cmd mc eksctl': cloud,
});
