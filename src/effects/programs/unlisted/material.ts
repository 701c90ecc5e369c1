/** Text that a filter made of other text and that is run: what went in tells what may come out. */
import { CARRIED, type Data, FROM, HOLE } from '../../data.ts';
import type { Call } from '../../shell/call.ts';

/** Commands that are looked for in the material of one event. */
const MAX_COMMANDS = 12;
const BEGINS_UNKNOWN = new RegExp(`^\\s{0,64}${HOLE}(?!/)`);
/** A word that may be the name of a program, and the rest of its line. */
const COMMAND = /(?<![\w.$-])([a-z][\w.+-]{0,32})([ \t][^\n;|&`"']{0,300})/g;

/**
 * Runs what may be in a text whose making was not followed: `cut -c4- | sh` runs a part of its input. Text of the code's own
 * that is changed before it is run hides what runs.
 */
export function runMaterial(c: Call, data: Data): void {
  // A place that is not known is followed by the name of a program that is: `$(go env GOPATH)/bin/x`.
  const isFound = (data.taint & FROM.listing) !== 0;
  if ((data.taint & FROM.made) === 0 || !(isFound || BEGINS_UNKNOWN.test(data.text))) return;
  c.world.unresolved ||= c.excerpt;
  let found = 0;
  const material = c.world.material.splice(0);
  const places = material
    .map(({ text }) => text)
    .filter((text) => /^[\w~.*/-]{1,200}$/.test(text) && text.includes('/'))
    .join(' ');
  for (const { text } of material)
    for (const [, name = '', rest = ''] of text.matchAll(COMMAND)) {
      if (c.isActing?.(name) !== true) continue;
      if (++found > MAX_COMMANDS || !c.world.step(8)) return;
      // Behind the command of `sed 's/^/rm /'` stands what the line had.
      const own = rest.replace(/[/#,!]\w{0,3}$/, '').trimEnd();
      c.world.run('shell', `${name}${own}${/\s[^-\s]/.test(own) ? '' : ` ${places}`}`);
    }
  const isOwn = (data.taint & (CARRIED | FROM.network | FROM.socket | FROM.service)) === 0;
  if (isOwn && (found > 0 || material.some(({ is_input, text }) => is_input && !text.includes(HOLE))))
    c.world.add('obfuscates', 'one', 'text that is put together', c.excerpt);
}
