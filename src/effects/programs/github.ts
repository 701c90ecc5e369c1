/** The command of GitHub and GitLab: what it reads, what it puts before those who work on a repository, and its requests. */

import { noteRefRequest } from '../administered/git-calls.ts';
import { CARRIED, type Data, FROM, HOLE } from '../data.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { fetchFrom, sendTo } from '../deeds/network.ts';
import { readFile } from '../deeds/read-file.ts';
import { isUrl } from '../hosts.ts';
import { type Call, isDryRun, readOptions, wordsOf } from '../shell/call.ts';
import { foreignName } from './fetching/code-origins.ts';
import { deletesByRequest } from './fetching/remote-deletes.ts';
import type { Reader } from './knowledge.ts';

const NOTHING: Data = { text: HOLE, taint: 0 };

/** Words of `gist create`: what follows them is a file, a name or a tag. */
const SUB_COMMAND = 2;

/** A field of a mutation, with or without a name before it: `t1: resolveReviewThread(input: …`. */
const MUTATION = /[{}\s:]([A-Za-z]{3,60})\s{0,4}\(\s{0,4}input\b/g;
/** A document that only asks. */
const QUESTION = /(?:^|[\s=])query\s{0,4}=\s{0,8}(?:query\b|\{)/;

/** `gh repo clone owner/name folder`: what is in the folder then is the owner's code. */
function noteClone(c: Call, source: string, folder: string): void {
  const address = isUrl(source) || source.includes('@') ? source : `https://github.com/${source}`;
  fetchFrom(c.world, address, c.excerpt);
  const name = source
    .split('/')
    .at(-1)!
    .replace(/\.git$/, '');
  c.world.noteCloned(c.world.describe(folder === '' ? name : folder).path, foreignName(c.world, address));
}

export const github: Reader = (k) => {
  const withValue = k.words('with_value');
  const methodOptions = k.options('method');
  const content = k.options('content');
  const sending = k.words('sending');
  const readsCredentials = k.pattern('reads_credentials');
  const deletes = k.pattern('deletes');
  const deletesAll = k.pattern('deletes_all');
  const sends = k.pattern('sends');
  const releases = k.pattern('releases');
  const proposes = k.pattern('proposes');
  const clones = k.expression('clones');
  const deploys = k.pattern('deploys');
  const repeats = k.pattern('repeats');
  const callsApi = k.pattern('calls_api');
  const looks = k.pattern('looks');
  const skipsProtection = k.pattern('skips_protection');
  const approves = k.pattern('approves');
  const grants = k.pattern('grants');
  const answersRequest = k.pattern('answers_request');
  const mutates = k.pattern('mutates');
  const answers = k.words('answers');
  const unprotects = k.words('unprotects');
  /** What the fields of a request in GraphQL change; null where nothing is changed or what is asked is not written out. */
  const mutationsIn = (query: string): string[] | null => {
    if (!mutates.test(query)) return null;
    return [...query.matchAll(MUTATION)].map(([, name = '']) => name.toLowerCase());
  };
  /** Puts an answer before those who work on the repository: what is said was written for them, what a file holds may be more. */
  const propose = (c: Call): void => {
    const taint = c.args.reduce((bits, { taint: of }) => bits | of, c.stdin?.taint ?? 0);
    if (taint & CARRIED) sendTo(c.world, 'github.com', { text: HOLE, taint }, c.excerpt);
    else c.world.add('writes', 'one', 'github.com', c.excerpt);
  };
  /** A request of a client's own making: a question, an answer to a review, anything else. */
  const callApi = (c: Call, method: string, place: string, sends: boolean): void => {
    const query = place === 'graphql' ? c.args.map(({ text }) => text).join(' ') : '';
    const changed = mutationsIn(query);
    const isWritten = (c.args.reduce((bits, { taint }) => bits | taint, 0) & CARRIED) === 0 && c.stdin === null;
    if (changed?.some((name) => unprotects.has(name)))
      c.world.add('bypasses_checks', 'many', 'branch protection', c.excerpt);
    if (query !== '' && changed === null && isWritten && QUESTION.test(query))
      c.world.add('reads', 'one', place, c.excerpt);
    else if (changed !== null && changed.length > 0 && changed.every((name) => answers.has(name))) propose(c);
    else if (sends && (method === '' || method === 'POST' || method === 'PATCH') && answersRequest.test(place))
      propose(c);
    else if (sends) sendTo(c.world, 'api.github.com', NOTHING, c.excerpt);
    else if (c.stdin === null) c.world.add('reads', 'one', place, c.excerpt);
  };
  return (c) => {
    // Options may stand before the sub-command, too: `gh --repo a/b release delete v1`.
    const fromVerb = readOptions(c.args, withValue, true).operands.map((o) => o.text);
    const before = wordsOf(c).slice(0, c.args.length - fromVerb.length);
    const text = [...fromVerb, ...before].join(' ');
    const options = readOptions(c.args, withValue);
    if (isDryRun(c, c.args)) return NOTHING;
    const [, cloned = '', folder = ''] = clones.exec(text) ?? [];
    if (cloned !== '') noteClone(c, cloned, folder);
    if (callsApi.test(text)) noteRefRequest(c.world, `/${text}`);
    if (readsCredentials.test(text)) {
      c.world.add('reads_credentials', 'one', 'GitHub token', c.excerpt);
      return { text: HOLE, taint: FROM.secret | FROM.network };
    }
    if (deletes.test(text)) {
      const scope = deletesAll.test(text) ? 'everything' : 'one';
      destroyForGood(c.world, scope, options.operands.at(-1)?.text ?? '', c.excerpt);
    } else if (releases.test(text) && options.operands.length <= 3 && c.stdin === null)
      c.world.add('deploys', 'one', 'github.com', c.excerpt);
    else if (sends.test(text)) {
      const files = options.operands.slice(SUB_COMMAND).map(({ text: file }) => readFile(c.world, file, c.excerpt));
      const taint = files.reduce((bits, { taint: of }) => bits | of, c.stdin?.taint ?? 0);
      sendTo(c.world, 'github.com', { text: HOLE, taint }, c.excerpt);
    } else if (proposes.test(text)) propose(c);
    else if (deploys.test(text)) c.world.add('deploys', 'one', 'github.com', c.excerpt);
    else if (repeats.test(text)) c.world.add('runs_code', 'one', text, c.excerpt);
    else if (callsApi.test(text)) {
      const method = options.value(methodOptions).toUpperCase();
      const place = options.operands[1]?.text ?? '';
      if (deletesByRequest(c.world, method, place, c.excerpt)) return { text: HOLE, taint: FROM.network };
      callApi(c, method, place, sending.has(method) || options.has(content));
    } else if (looks.test(text)) c.world.add('reads', 'one', text, c.excerpt);
    if (skipsProtection.test(text)) c.world.add('bypasses_checks', 'one', 'branch protection', c.excerpt);
    if (approves.test(text)) c.world.add('bypasses_checks', 'many', 'review by another person', c.excerpt);
    if (grants.test(text)) c.world.add('grants', 'one', 'repository', c.excerpt);
    return { text: HOLE, taint: FROM.network };
  };
};
