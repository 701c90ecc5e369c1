/** Programs that run another command: with more rights, later, or once for each name. */

import { FROM, HOLE } from '../data.ts';
import { readFile } from '../deeds.ts';
import { field, type Program, type ProgramTable, programTable, readOptions } from '../shell/call.ts';

const sudo: Program = (c) => {
  const options = readOptions(c.args, 'u g U p C h r t D R user group', true);
  c.world.add('escalates', 'one', options.value('u', 'user') || 'root', c.excerpt);
  const rest = options.operands.filter((o, i) => i > 0 || !/^\w+=/.test(o.text));
  if (rest.length === 0 && c.stdin !== null && options.has('s', 'i')) c.world.run('shell', c.stdin.text);
  return rest.length === 0 ? undefined : c.invoke(rest, c.stdin);
};

const su: Program = (c) => {
  const options = readOptions(c.args, 'c s g G command shell');
  c.world.add('escalates', 'one', options.operands.find((o) => o.text !== '-')?.text ?? 'root', c.excerpt);
  const code = options.value('c', 'command');
  if (code !== '') c.world.run('shell', code);
  return undefined;
};

/** Runs the rest of the line, after its own options and `skip` operands. */
const wrapper =
  (valued = '', skip = 0): Program =>
  (c) => {
    const { operands } = readOptions(c.args, valued, true);
    const rest = operands.slice(skip);
    return rest.length === 0 ? undefined : c.invoke(rest, c.stdin);
  };

const xargs: Program = (c) => {
  const options = readOptions(c.args, 'I i n P L s d E a max-args max-procs replace delimiter arg-file', true);
  const command = options.operands.length === 0 ? [field('echo')] : options.operands;
  const data = options.has('a', 'arg-file')
    ? readFile(c.world, options.value('a', 'arg-file'), c.excerpt)
    : (c.stdin ?? { text: HOLE, taint: 0 });
  const names =
    data.text.includes(HOLE) && !(data.taint & FROM.listing)
      ? [data.text]
      : data.text
          .split(/\s+/)
          .filter((t) => t !== '')
          .slice(0, 16);
  const given = names.map((n) => field(n, data.taint, true));
  const mark = options.value('I', 'replace') || (options.has('i') ? '{}' : '');
  if (mark === '') return c.invoke([...command, ...given], null);
  return c.invoke(
    command.flatMap((f) =>
      f.text.includes(mark) ? given.map((g) => ({ ...g, text: f.text.replaceAll(mark, g.text) })) : [f],
    ),
    null,
  );
};

const watch: Program = (c) => {
  const { operands } = readOptions(c.args, 'n interval', true);
  if (operands.length > 0) c.world.run('shell', operands.map((o) => o.text).join(' '));
  return undefined;
};

/** A terminal that goes on without its user: a command of its own, or keys that somebody else seems to press. */
const terminal: Program = (c) => {
  const { operands } = readOptions(c.args, 's t n c L S f x y p h X', true);
  const [verb, ...rest] = c.name === 'tmux' ? operands : [field('new'), ...operands];
  if (
    verb === undefined ||
    !/^(?:new|new-?session|new-?window|neww|split-?window|splitw|send-?keys|send|respawn-pane|run-?shell|run)$/.test(
      verb.text,
    )
  )
    return undefined;
  const command = readOptions(rest, 's t n c F x y e', true).operands.filter((o) => !/^(?:Enter|C-m)$/.test(o.text));
  if (command.length === 1) c.world.run('shell', command[0]!.text);
  else if (command.length > 1) c.invoke(command, c.stdin);
  return undefined;
};

export const WRAPPING_PROGRAMS: ProgramTable = programTable({
  'sudo doas pkexec runas gosu': sudo,
  su,
  'nohup setsid time stdbuf ionice chronic caffeinate unbuffer catchsegv ltrace strace torsocks proxychains4':
    wrapper('o e i n c p u s'),
  nice: wrapper('n adjustment'),
  timeout: wrapper('k s signal kill-after', 1),
  flock: wrapper('w E', 1),
  'parallel xargs': xargs,
  watch,
  'busybox toybox wsl entr runuser systemd-inhibit': wrapper('u user g group d distribution'),
  'tmux screen': terminal,
});
