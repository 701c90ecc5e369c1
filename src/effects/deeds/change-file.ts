/** Effects that every change of a file has, and changes of its permissions. */
import type { Scope } from '../effects.ts';
import { type PathTraits, reachBelow, reachOf } from '../paths.ts';
import type { World } from '../world.ts';

/** What is known of a change of a file that makes it harmless in one respect. */
interface Spared {
  /** Nothing is started by what the file holds from now on. */
  isIdle?: boolean;
  /** The settings of a guard only say no from now on. */
  isTightened?: boolean;
  /** A line is added to a log that a program of its own writes. */
  isOwnLog?: boolean;
  /** An empty folder is made. */
  isFolder?: boolean;
}

/** Adds the effects that any change of this file has. */
export function noteChange(w: World, t: PathTraits, excerpt: string, scope: Scope = 'one', spared: Spared = {}): void {
  const { isIdle = false, isTightened = false, isOwnLog = false, isFolder = false } = spared;
  if (t.place === 'null') return;
  if (t.is_device) w.add('deletes', 'everything', t.path, excerpt);
  if (t.is_stable_system) w.add('writes_system', t.is_vital_system ? 'everything' : scope, t.path, excerpt);
  // That a place is scratch says what is lost there, not what runs there.
  if (t.is_start && !isIdle) w.add('persists', scope, t.path, excerpt);
  if (t.is_account) w.add('escalates', scope, t.path, excerpt);
  if (t.is_guard && !isTightened) w.add('tampers_with_guards', scope, t.path, excerpt);
  if (t.is_agent && !isFolder) w.add('modifies_agent', scope, t.path, excerpt);
  if (t.is_log && !isOwnLog) w.add('tampers_with_logs', scope, t.path, excerpt);
}

/** Permission bits: set-user-id escalates, access for everybody is a grant, anything else is a change. */
export function changeMode(
  w: World,
  path: string,
  mode: string,
  excerpt: string,
  isDeep = false,
  hasGlob = false,
): void {
  const traits = w.describe(path);
  w.notePath(path);
  const scope = isDeep ? reachBelow(traits) : reachOf(traits, hasGlob);
  const octal = /^0?o?([0-7]{3,5})$/.exec(mode)?.[1];
  const isSetuid =
    octal !== undefined ? octal.length >= 4 && /[4-7]/.test(octal.at(-4)!) : /[+=][rwxXt]{0,8}s/.test(mode);
  const isForAll = octal !== undefined ? /[2367]$/.test(octal) : /(?:^|,)(?:o|a|ugo|go)[+=]\w*w/.test(mode);
  // With the bit for its owner, anyone who runs the file has the owner's rights from that point on.
  const isOfOwner = octal !== undefined || /(?:^|,)(?:[goa]*u[goa]*|a?)[+=][rwxXt]*s/.test(mode);
  if (isSetuid) w.add('escalates', isOfOwner ? 'everything' : 'one', traits.path, excerpt);
  if (isForAll) w.add('grants', scope, traits.path, excerpt);
  else if (!isSetuid) w.add('writes', scope, traits.path, excerpt);
  if (traits.place === 'system' || traits.is_account || traits.is_log) noteChange(w, traits, excerpt, scope);
}
