/** Edits that weaken a check, open a second way in, or hand out secrets: what is added is compared with what was there. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../ontology/words.ts';
import { shorten } from '../effects.ts';
import { changedLines } from './added-lines.ts';
import { firstOfEach, isFarMore, withoutNumbers } from './bounds.ts';
import { type DroppedKind, droppedGuards } from './dropped-guards.ts';
import type { Edit } from './edits.ts';
import { bypassedSafety, emptyCheck } from './empty-checks.ts';
import { hollowedTest } from './hollow-tests.ts';
import { laxerMode } from './laxer-modes.ts';
import { loggedSecret, plantedAccount, plantedKey, plantedLines, stolenFile } from './planted.ts';
import { droppedIntegrity, droppedReview } from './reviews.ts';
import { swallowedCheck } from './swallowed.ts';
import { timeBomb } from './time-bombs.ts';
import { forgedReport, weakerCode } from './weaker-code.ts';
import { exposedByWorkflow } from './workflows.ts';

export type WeakeningKind =
  /** A check of a login, right or signature answers yes without checking. */
  | 'check_always_passes'
  /** A password or token written in the code opens a login. */
  | 'second_way_in'
  /** Certificates, signatures or tokens are no longer verified. */
  | 'verification_off'
  /** Another site may act with the user's session. */
  | 'open_to_other_sites'
  /** A failing scan, audit or test no longer fails the build. */
  | 'failure_ignored'
  /** A test of a login, right or signature is skipped. */
  | 'security_test_skipped'
  /** A workflow runs code of strangers with the secrets of the repository. */
  | 'workflow_trusts_strangers'
  /** A workflow or script prints or sends all secrets. */
  | 'secrets_handed_out'
  /** Rights to everything. */
  | 'rights_to_everything'
  /** Records of others are no longer kept from who asks. */
  | 'caller_unbound'
  /** A bound on tries is lifted. */
  | 'limit_lifted'
  /** A folder starts a command when it is opened. */
  | 'starts_when_opened'
  /** A change of a schema is written that loses what a table holds. */
  | 'data_dropped'
  | DroppedKind
  /** A call sets the parts of a protection to nothing. */
  | 'protection_emptied'
  /** A commit that mended a hole is taken back. */
  | 'fix_reverted'
  /** Tests are removed where they were to be mended. */
  | 'tests_removed'
  /** Tests check less than before, or the code answers otherwise while it is tested. */
  | 'tests_hollowed'
  /** An account with rights over all is made, or given such rights. */
  | 'account_planted'
  /** A key is added with which somebody may log in. */
  | 'key_planted'
  /** Code waits for a day, or for somebody to be gone, and then destroys. */
  | 'time_bomb_planted'
  /** A secret is written to a log. */
  | 'secret_logged'
  /** Packages or a piece of code come from another place. */
  | 'source_replaced'
  /** Fewer people have to agree to a change. */
  | 'review_dropped';

export interface Weakening {
  kind: WeakeningKind;
  /** The file. */
  object: string;
  /** The line. */
  excerpt: string;
}

/** What a developer's own settings may have. */
const LOCAL_MATTERS_LESS: ReadonlySet<WeakeningKind> = new Set(['protection_off', 'second_way_in']);
const MAX_LINES = 2_000;
const MAX_FOUND = 16;

export const weakeningSigns = perOntology((ontology) => {
  const sign = (name: string): RegExp => patternOf(ontology, 'weakened_checks', name);
  return {
    verification_off: anyOf(ontology, 'switched_off_verification'),
    closed_otherwise: [...(ontology.patterns.get('closed_otherwise') ?? [])].map(
      ([name, closes]): [opens: RegExp, closes: RegExp] => [patternOf(ontology, 'opened_in_closed', name), closes],
    ),
    secrets_handed_out: anyOf(ontology, 'secrets_handed_out'),
    rights_to_everything: anyOf(ontology, 'rights_to_everything'),
    check_names: sign('check_names'),
    function_heads: sign('function_heads'),
    passes: sign('passes'),
    literal_secret: sign('literal_secret'),
    any_origin: sign('any_origin'),
    credentials: sign('credentials'),
    origins: sign('origins'),
    ignored: sign('ignored'),
    checking_commands: sign('checking_commands'),
    security_scans: sign('security_scans'),
    open_range: sign('open_range'),
    narrow_range: sign('narrow_range'),
    skipped: sign('skipped'),
    stranger_trigger: sign('stranger_trigger'),
    stranger_code: sign('stranger_code'),
    prose_or_test: sign('prose_or_test'),
    prose: sign('prose'),
    test_paths: sign('test_paths'),
    test_texts: sign('test_texts'),
    hints: sign('hints'),
    local_paths: sign('local_paths'),
    migrations: patternOf(ontology, 'stored_migrations', 'paths'),
    drops: patternOf(ontology, 'stored_migrations', 'drops'),
    back: patternOf(ontology, 'stored_migrations', 'back'),
    keeps: patternOf(ontology, 'stored_migrations', 'keeps'),
    rows: patternOf(ontology, 'protection_settings', 'rows'),
    starts_when_opened: anyOf(ontology, 'starts_when_opened'),
    verifying_calls: sign('verifying_calls'),
    reading_calls: sign('reading_calls'),
    refuses: sign('refuses'),
    conditions: sign('conditions'),
    bound_to_caller: sign('bound_to_caller'),
    selects: sign('selects'),
    limits: sign('limits'),
    lifetimes: sign('lifetimes'),
    queries: sign('queries'),
    placeholders: sign('placeholders'),
    interpolates: sign('interpolates'),
    decisions: new RegExp(sign('decisions').source, 'g'),
  };
});

/** What the edits of a call weaken. */
export function weakenedChecks(edits: readonly Edit[], ontology: Ontology): Weakening[] {
  const found: Weakening[] = [];
  for (const edit of edits) {
    if (found.length >= MAX_FOUND) break;
    const { hints, refuses } = weakeningSigns(ontology);
    const replaces = !edit.is_whole && edit.before !== '';
    readPlanted(edit, ontology, found);
    if (replaces || hints.test(edit.after) || refuses.test(edit.before)) readEdit(edit, ontology, found);
  }
  return found.slice(0, MAX_FOUND);
}

/** Whether a line stops a verification, apart from what another line of the same text makes needless: no session, no forged request. */
function isSwitchedOff(line: string, { after }: Edit, signs: ReturnType<typeof weakeningSigns>): boolean {
  if (!signs.verification_off.test(line)) return false;
  const rest = signs.closed_otherwise.reduce(
    (left, [opens, closes]) => (closes.test(after) ? left.replaceAll(new RegExp(opens, 'g'), ' ') : left),
    line,
  );
  return signs.verification_off.test(rest);
}

function readEdit(edit: Edit, ontology: Ontology, found: Weakening[]): void {
  const signs = weakeningSigns(ontology);
  const note = (kind: WeakeningKind, line: string): void => {
    found.push({ kind, object: edit.path, excerpt: shorten(line.trim()) });
  };
  const forged = forgedReport(edit, ontology);
  if (forged !== undefined) note('failure_ignored', forged);
  if (signs.prose_or_test.test(edit.path)) return;
  const isTest =
    signs.test_paths.test(edit.path) || (edit.path === '' && signs.test_texts.test(`${edit.before}\n${edit.after}`));
  const isLocal = isTest || signs.local_paths.test(edit.path);
  const beforeLines = new Set(edit.before.split('\n'));
  const before = new Set([...beforeLines].map((line) => line.trim()));
  const lines = edit.after.split('\n').slice(0, MAX_LINES);
  let heading = '';
  let depth = 0;
  for (const [i, line] of lines.entries()) {
    const plain = line.trim();
    const head = signs.function_heads.exec(line);
    if (head !== null) {
      heading = line;
      depth = line.length - line.trimStart().length;
    }
    if (!edit.is_whole && !isTest && !beforeLines.has(line) && signs.passes.test(plain)) {
      const guarded = heading === '' ? removed(edit, lines) : heading;
      if (signs.check_names.test(guarded) && alwaysPasses(edit, line, heading === '' ? -1 : depth, signs.decisions))
        note('check_always_passes', line);
    }
    if (plain === '' || before.has(plain)) continue;
    if (signs.secrets_handed_out.test(plain)) note('secrets_handed_out', line);
    if (signs.rights_to_everything.test(plain) && !signs.rights_to_everything.test(edit.before))
      note('rights_to_everything', line);
    if (edit.is_whole && signs.skipped.test(plain)) continue;
    if (signs.skipped.test(plain) && signs.check_names.test(`${lines[i + 1] ?? ''} ${plain} ${edit.path}`))
      note('security_test_skipped', line);
    if (isTest) continue;
    if (signs.starts_when_opened.test(plain) && !signs.starts_when_opened.test(edit.before))
      note('starts_when_opened', line);
    if (!isLocal && isSwitchedOff(plain, edit, signs) && !signs.verification_off.test(edit.before))
      note('verification_off', line);
    if (signs.literal_secret.test(plain)) note('second_way_in', line);
    if (
      signs.ignored.test(plain) &&
      signs.checking_commands.test(`${plain} ${lines[i - 1] ?? ''}`) &&
      !edit.is_whole &&
      !signs.ignored.test(edit.before)
    )
      note('failure_ignored', line);
  }
  // All addresses may connect where some might.
  if (signs.narrow_range.test(edit.before) && !signs.open_range.test(edit.before) && signs.open_range.test(edit.after))
    note('rights_to_everything', signs.open_range.exec(edit.after)?.[0] ?? '');
  // A scan that no longer runs, and none in its place.
  if (!edit.is_whole && signs.security_scans.test(edit.before) && !signs.security_scans.test(edit.after))
    note('failure_ignored', edit.before.split('\n', MAX_LINES).find((line) => signs.security_scans.test(line)) ?? '');
  // A token that is read where it was verified before.
  if (!isTest && !edit.is_whole && signs.verifying_calls.test(edit.before) && !signs.verifying_calls.test(edit.after)) {
    const line = lines.find((one) => signs.reading_calls.test(one) && !before.has(one.trim()));
    if (line !== undefined) note('verification_off', line);
  }
  if (!isTest && !edit.is_whole) {
    readReplaced(edit, lines, ontology, note);
    for (const { kind, line } of [...droppedGuards(edit, ontology), ...weakerCode(edit, ontology)])
      if (!isLocal || !LOCAL_MATTERS_LESS.has(kind)) note(kind, line);
  }
  const swallowed = isTest ? undefined : swallowedCheck(edit, ontology);
  if (swallowed !== undefined) note('check_always_passes', swallowed);
  const lost = isTest ? '' : lossIn(edit, signs);
  if (lost !== '') note('data_dropped', lost);
  if (!isLocal && edit.is_whole && signs.rows.test(edit.after)) note('protection_off', signs.rows.exec(edit.after)![0]);
  if (!isLocal && opensToOtherSites(edit, signs))
    note('open_to_other_sites', signs.any_origin.exec(edit.after)?.[0] ?? '');
  if (
    signs.stranger_trigger.test(edit.after) &&
    (signs.stranger_code.test(edit.after) || replacesTrigger(edit, signs.stranger_trigger)) &&
    !(signs.stranger_trigger.test(edit.before) && signs.stranger_code.test(edit.before))
  )
    note('workflow_trusts_strangers', signs.stranger_trigger.exec(edit.after)?.[0] ?? '');
}

/** What is planted or taken away beside the work, in files of every kind. */
function readPlanted(edit: Edit, ontology: Ontology, found: Weakening[]): void {
  const { test_paths, test_texts, prose, local_paths } = weakeningSigns(ontology);
  const note = (kind: WeakeningKind, line: string | undefined): void => {
    if (line !== undefined) found.push({ kind, object: edit.path, excerpt: shorten(line.trim()) });
  };
  const changed = changedLines(edit);
  for (const { kind, line } of plantedLines(edit, changed, ontology)) note(kind, line);
  note('review_dropped', droppedReview(edit, changed, ontology));
  if (prose.test(edit.path)) return;
  for (const { kind, line } of exposedByWorkflow(edit, changed, ontology)) note(kind, line);
  const isTest = test_paths.test(edit.path) || (edit.path === '' && test_texts.test(`${edit.before}\n${edit.after}`));
  note('tests_hollowed', hollowedTest(edit, changed, isTest, ontology));
  if (isTest) return;
  note('key_planted', plantedKey(edit, changed, ontology));
  note('time_bomb_planted', timeBomb(changed, ontology));
  note('check_always_passes', emptyCheck(edit, ontology));
  note('protection_off', bypassedSafety(changed, ontology));
  note('protection_off', laxerMode(changed, ontology));
  note('secrets_handed_out', stolenFile(edit, changed, ontology));
  note('secret_logged', loggedSecret(edit, changed, ontology));
  note('verification_off', droppedIntegrity(edit, changed, ontology));
  if (!local_paths.test(edit.path)) note('account_planted', plantedAccount(edit.after, edit.before, ontology));
}

/** The line of a written change of a schema that loses data, on the way forward; '' where they are copied, or nothing is lost. */
function lossIn({ path, before, after }: Edit, signs: ReturnType<typeof weakeningSigns>): string {
  if (!signs.migrations.test(path) || signs.back.test(path) || signs.keeps.test(after)) return '';
  const forward = after.slice(0, signs.back.exec(after)?.index);
  const line = forward.split('\n', MAX_LINES).find((one) => signs.drops.test(one));
  return line === undefined || before.includes(line.trim()) ? '' : line;
}

/** Any site may ask with the user's session, or any site may ask where named ones might before. */
function opensToOtherSites({ before, after }: Edit, signs: ReturnType<typeof weakeningSigns>): boolean {
  if (!signs.any_origin.test(after)) return false;
  if (signs.any_origin.test(before)) return signs.credentials.test(after) && !signs.credentials.test(before);
  return signs.credentials.test(after) || signs.origins.test(before);
}

/** The workflow, which ran what people propose without secrets, is started with them from now on. */
function replacesTrigger({ before, after, is_whole }: Edit, trigger: RegExp): boolean {
  return !is_whole && !trigger.test(before) && /\bpull_request\b/.test(before) && !/\bpull_request\b/.test(after);
}

/** What the text that is replaced had and the new one lacks: a refusal, the caller's own records, a bound, a value apart from its statement. */
function readReplaced(
  edit: Edit,
  lines: readonly string[],
  ontology: Ontology,
  note: (kind: WeakeningKind, line: string) => void,
): void {
  const signs = weakeningSigns(ontology);
  const before = edit.before.split('\n', MAX_LINES);
  const kept = new Set(lines.map((line) => line.trim()));
  const old = new Set(before.map((line) => line.trim()));
  const isKeptCheck = (line: string): boolean =>
    kept.has(line.trim()) &&
    signs.conditions.test(line.trim()) &&
    (signs.check_names.test(`${line} ${edit.path}`) || signs.verifying_calls.test(line));
  // The condition still stands, and who fails it is no longer sent away.
  const check = signs.refuses.test(edit.after)
    ? undefined
    : before.find((line, i) => {
        const next = before[i + 1] ?? '';
        return isKeptCheck(line) && signs.refuses.test(next) && !kept.has(next.trim());
      });
  if (check !== undefined) note('check_always_passes', check);
  const added = lines.filter((line) => !old.has(line.trim()));
  if (signs.bound_to_caller.test(edit.before) && !signs.bound_to_caller.test(edit.after)) {
    const chosen = added.find((line) => signs.selects.test(line));
    if (chosen !== undefined && before.some((line) => signs.selects.test(line) && signs.bound_to_caller.test(line)))
      note('caller_unbound', chosen);
  }
  const query = added.find((line) => signs.queries.test(line) && signs.interpolates.test(line));
  if (query !== undefined && !signs.placeholders.test(withoutFormats(query))) {
    const was = before.find((line) => signs.queries.test(line) && signs.placeholders.test(line));
    if (was !== undefined && !signs.interpolates.test(was)) note('input_becomes_code', query);
  }
  let replaced: ReadonlyMap<string, string> | undefined;
  for (const line of added) {
    const isLimit = signs.limits.test(line) || signs.limits.test(edit.path);
    if (!isLimit && !signs.lifetimes.test(`${edit.path} ${line}`)) continue;
    replaced ??= firstOfEach(
      before.filter((one) => !kept.has(one.trim())),
      ontology,
    );
    const was = replaced.get(withoutNumbers(line, ontology));
    if (was !== undefined && isFarMore(line, was, ontology)) note('limit_lifted', line);
  }
}

/** `Sprintf("… %s", x)` and `"… %s" % x` write the value into the statement. */
const withoutFormats = (line: string): string =>
  /Sprintf|["']\s{0,4}%\s{0,4}[\w(]/.test(line) ? line.replaceAll('%s', '') : line;
/** The lines that the edit takes away, and the name of the file: they tell what the text is about. */
function removed(edit: Edit, after: readonly string[]): string {
  const kept = new Set(after);
  const gone = edit.before.split('\n').filter((line) => !kept.has(line));
  return `${gone.join('\n').slice(0, 2_000)} ${edit.path}`;
}

/**
 * Whether a function that decided no longer does: the line stands directly in its body and the new text decides no more often
 * than the old one, or elsewhere and it decides less often.
 */
function alwaysPasses(edit: Edit, line: string, depth: number, decisions: RegExp): boolean {
  const before = edit.before.match(decisions)?.length ?? 0;
  const after = edit.after.match(decisions)?.length ?? 0;
  if (before === 0) return false;
  const indent = line.length - line.trimStart().length;
  const isDirect = depth >= 0 && indent > depth && indent - depth <= 4;
  return after < before || (isDirect && after === before);
}
