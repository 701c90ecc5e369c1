/** Programs that keep copies of whole folders: what they copy, and the place that the copy goes to. */

import { type Data, FROM, HOLE } from '../data.ts';
import { sendTo } from '../deeds/network.ts';
import { hostOf, isLoopback } from '../hosts.ts';
import { type Field, isDryRun, lineOf, readOptions } from '../shell/call.ts';
import { MAX_NAMES, type World } from '../world.ts';
import { readOperand } from './files/read-files.ts';
import type { Reader } from './knowledge.ts';

/** `sftp:user@host:/r`, `rest:https://host/`, `b2:bucket`, `ssh://user@host/./r`: the scheme says how it is reached. */
const REACHED = /^(?:[a-z][a-z0-9]{1,15}(?:\+[a-z]{1,8})?:)(?=[^\\/]|\/\/)/i;
/** `user@host:path`, `host:path`, `host::module`, no drive letter. */
const ELSEWHERE = /^(?:[\w.-]{1,64}@)?[\w.-]{2,250}::?(?!\/\/|\\)/;
/** Settings inside a name: `:s3,provider=Other,endpoint=host:bucket`. */
const ENDPOINT = /\bendpoint=["']?(?:https?:\/\/)?([^,:"'\s/]{3,250})/i;

/** The place outside this machine that a word names, as it is told; '' when it names none. */
export function placeElsewhere(text: string): string {
  const endpoint = ENDPOINT.exec(text)?.[1];
  if (endpoint !== undefined) return endpoint;
  let rest = text;
  for (let i = 0; i < 3; i++) {
    const host = hostOf(rest);
    if (host !== '') return isLoopback(host) ? '' : host;
    const login = /^[\w.-]{1,64}@([\w.-]{1,250})(?:[:/]|$)/.exec(rest)?.[1];
    if (login !== undefined) return login;
    const reached = REACHED.exec(rest)?.[0];
    if (reached === undefined) break;
    if (/^file:/i.test(reached)) return '';
    rest = rest.slice(reached.length);
  }
  return REACHED.test(text) || ELSEWHERE.test(text) ? text : '';
}

/** Words in which such a program is told what to do: `snapshot create`. */
const VERB_WORDS = 2;

/** How a path of this machine looks beside the words of a command. */
const LOCAL = /^[/~.]|[/\\]|\./;

/** Reads what goes into a copy of a folder: what people keep outside a project is theirs, whatever it holds. */
export function readForCopy(w: World, source: Field, read: () => Data): Data {
  const data = read();
  const { place, is_built, is_treasured } = w.describe(source.text);
  const isOwn = (place === 'home' || place === 'system' || is_treasured) && !is_built;
  return isOwn ? { ...data, taint: data.taint | FROM.personal } : data;
}

/**
 * `restic -r PLACE backup ~/x`, `borg create PLACE::name ~/x`, `duplicity ~/x PLACE`, `kopia snapshot create ~/x` after its repository was
 * connected.
 */
export const backups: Reader = (k) => {
  const deletes = k.pattern('deletes');
  const keeps = k.pattern('keeps');
  const keepsNothing = k.pattern('keeps_nothing');
  const withValue = k.words('with_value');
  const places = k.options('place');
  const variables = k.options('place_variables');
  const connects = k.pattern('connects');
  const sends = k.pattern('sends');
  const namesArchive = k.expression('names_archive');
  return (c) => {
    if (isDryRun(c, c.args)) return undefined;
    const line = lineOf(c);
    if (deletes.test(line)) {
      // By a rule that keeps some of them is how every schedule of backups removes the others; people ask for that.
      const isRetention = keeps.test(line) && !keepsNothing.test(line);
      c.world.add(
        'destroys_recovery',
        isRetention ? 'many' : 'everything',
        isRetention ? `older copies of ${c.name}` : c.name,
        c.excerpt,
      );
      return undefined;
    }
    const options = readOptions(c.args, withValue);
    const named = [...options.values(places), ...variables.map((name) => c.variable(name)), ...options.operands];
    const place =
      named
        .map(({ text }) => (text.includes(HOLE) ? '' : placeElsewhere(text.replace(namesArchive, ''))))
        .find((one) => one !== '') ?? '';
    if (place !== '') c.world.noteHost(hostOf(place));
    if (connects.test(line) && place !== '' && c.world.remotes.size < MAX_NAMES) c.world.remotes.set(c.name, place);
    const to = place || (c.world.remotes.get(c.name) ?? '');
    const [first, ...more] = options.operands;
    const isFetched =
      first !== undefined && more.length > 0 && placeElsewhere(first.text) !== '' && !namesArchive.test(first.text);
    // What is done stands in front: in `find snapshot:1a2b` it is not a verb.
    const verbs = options.operands.slice(0, VERB_WORDS).map(({ text }) => text);
    if (!sends.test([c.name, ...verbs].join(' ')) || isFetched) return undefined;
    let taint = 0;
    for (const source of options.operands)
      if (LOCAL.test(source.text) && placeElsewhere(source.text) === '')
        taint |= readForCopy(c.world, source, () => readOperand(c, source, 'many')).taint;
    if (to !== '') sendTo(c.world, to, { text: HOLE, taint: taint | FROM.file }, c.excerpt, 'many');
    return undefined;
  };
};
