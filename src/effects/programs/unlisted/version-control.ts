/** Version control other than git: what takes changes back, removes what is not recorded, or lets recorded work go. */
import { withoutEnd } from '../../../lang/ends.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../ontology/words.ts';
import { FROM, HOLE } from '../../data.ts';
import { cleanFolder, discardAll } from '../../deeds/discard-work.ts';
import { fetchFrom, sendTo } from '../../deeds/network.ts';
import { isUrl } from '../../hosts.ts';
import { type Call, isDryRun, isSeveral } from '../../shell/call.ts';
import { foreignName } from '../fetching/code-origins.ts';

const words = perOntology((ontology) => ({
  programs: setOf(ontology, 'version_programs'),
  takesBack: setOf(ontology, 'version_reverting'),
  switches: setOf(ontology, 'version_switching'),
  cleans: setOf(ontology, 'version_cleaning'),
  abandons: setOf(ontology, 'version_abandoning'),
  shelves: setOf(ontology, 'version_shelves'),
  copies: setOf(ontology, 'version_copying'),
  sends: setOf(ontology, 'version_sending'),
  drops: anyOf(ontology, 'version_dropping'),
  discarding: anyOf(ontology, 'version_discarding'),
  whole: anyOf(ontology, 'version_whole'),
}));

/** A working copy that is made of a repository elsewhere: what is in its folder is its owner's code. */
function noteForeignCopy(c: Call): void {
  const { copies } = words(c.world.ontology);
  const operands = c.args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  const at = operands.findIndex((text) => isUrl(text));
  if (at < 1 || !operands.slice(0, at).some((verb) => copies.has(verb))) return;
  const url = operands[at]!;
  const folder = operands[at + 1] ?? withoutEnd(url, /\//).split('/').at(-1)!;
  fetchFrom(c.world, url, c.excerpt);
  c.world.noteCloned(c.world.describe(folder).path, foreignName(c.world, url));
}

/** Work that is handed to an address which the command brings along, as by `git push ADDRESS`; whether there is one. */
function noteSent(c: Call): boolean {
  const { sends } = words(c.world.ontology);
  const operands = c.args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  const at = operands.findIndex((text) => isUrl(text) || /^[\w.-]{1,64}@[\w.-]{1,253}:/.test(text));
  if (at < 1 || !operands.slice(0, at).some((verb) => sends.has(verb))) return false;
  sendTo(c.world, operands[at]!, { text: HOLE, taint: FROM.listing }, c.excerpt, 'many');
  c.world.add('deploys', 'one', operands[at]!, c.excerpt);
  return true;
}

/** Notes what a command of such a program throws away; whether it does. */
export function noteTakenBack(c: Call): boolean {
  const known = words(c.world.ontology);
  if (!known.programs.has(c.name) || isDryRun(c, c.args)) return false;
  noteForeignCopy(c);
  if (noteSent(c)) return true;
  const at = c.args.findIndex(({ text }) =>
    [known.takesBack, known.switches, known.cleans, known.abandons, known.shelves].some((list) => list.has(text)),
  );
  if (at < 0) return false;
  const verb = c.args[at]!.text;
  const rest = c.args.slice(at + 1);
  const options = rest.filter(({ text }) => text.startsWith('-'));
  const operands = rest.filter(({ text }) => !text.startsWith('-'));
  const object = operands.map(({ text }) => text).join(' ') || verb;
  const isWhole = rest.some((one) => isSeveral(one) || one.text.includes(HOLE) || known.whole.test(one.text));
  const isDiscarding = options.some(({ text }) => known.discarding.test(text));
  if (known.takesBack.has(verb)) {
    if (isWhole || operands.length === 0) discardAll(c.world, 'changes', 'many', 'working tree', c.excerpt);
    else c.world.add('discards_work', 'one', object, c.excerpt);
  } else if (known.abandons.has(verb)) {
    c.world.add('discards_work', isWhole || operands.length > 1 ? 'many' : 'one', object, c.excerpt);
  } else if (known.shelves.has(verb)) {
    if (!rest.some(({ text }) => known.drops.test(text))) return false;
    c.world.add('discards_work', isWhole ? 'many' : 'one', object, c.excerpt);
  } else if (known.cleans.has(verb) && (isDiscarding || !known.switches.has(verb))) {
    cleanFolder(c.world, '', c.excerpt);
  } else if (isDiscarding) {
    discardAll(c.world, 'changes', 'many', 'working tree', c.excerpt);
  } else return false;
  return true;
}
