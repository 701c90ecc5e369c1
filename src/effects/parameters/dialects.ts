/** Tells the languages of command lines apart: a POSIX shell, PowerShell, the command processor of Windows. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf } from '../../ontology/words.ts';

/** Characters that suffice to tell. */
const HEAD = 2_000;

export type Dialect = 'shell' | 'powershell' | 'cmd';

export const dialectSigns = perOntology((ontology) => ({
  /** What all signs of PowerShell and of Windows have one of. */
  other: anyOf(ontology, 'other_dialect_signs'),
  powershell: anyOf(ontology, 'powershell_signs'),
  cmd: anyOf(ontology, 'cmd_signs'),
  weakCmd: anyOf(ontology, 'weak_cmd_signs'),
  posix: anyOf(ontology, 'posix_signs'),
  posixBlocks: anyOf(ontology, 'posix_blocks'),
}));

/** The dialect in which a command line is written, by its own signs. */
export function dialectOf(code: string, ontology: Ontology): Dialect {
  const head = code.slice(0, HEAD);
  if (!dialectSigns(ontology).other.test(head) || head.startsWith('#!')) return 'shell';
  const { powershell, cmd, weakCmd, posix, posixBlocks } = dialectSigns(ontology);
  if (posixBlocks.test(head)) return 'shell';
  if (cmd.test(head) && !/\$\w/.test(head)) return 'cmd';
  if (powershell.test(head)) return 'powershell';
  return weakCmd.test(head) && !posix.test(head) ? 'cmd' : 'shell';
}

/** The same for code of a tool whose name says which one it takes. */
export function dialectOfTool(code: string, hinted: Dialect, ontology: Ontology): Dialect {
  if (hinted !== 'cmd') return hinted;
  const head = code.slice(0, HEAD);
  const { powershell, posix } = dialectSigns(ontology);
  if (powershell.test(head)) return 'powershell';
  return posix.test(head) ? dialectOf(code, ontology) : 'cmd';
}
