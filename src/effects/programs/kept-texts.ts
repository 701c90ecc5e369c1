/** What a program prints that others have written: text that a service keeps, that a commit says, that lies on the clipboard. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { type Data, FROM } from '../data.ts';
import type { Call } from '../shell/call.ts';

/** Operands among which the verb of a program is looked for: `docker container inspect`. */
const MAX_VERBS = 2;

/** Names of the programs all of whose output is such text. */
export const programsThatPrintKept = perOntology((ontology) => setOf(ontology, 'kept_text_programs'));

const keptTexts = perOntology((ontology) => ({
  programs: programsThatPrintKept(ontology),
  verbs: tableOf(ontology, 'kept_text_verbs'),
  own: patternOf(ontology, 'kept_text_signs', 'own_version'),
  says: patternOf(ontology, 'kept_text_signs', 'says'),
  elsewhere: patternOf(ontology, 'kept_text_signs', 'elsewhere'),
}));

/** Marks what a program prints as text of others where it is: harmless to read, and code of others as soon as it runs. */
export function withKept(out: Data, c: Call): Data {
  if (!printsKept(c)) return out;
  c.world.kept_texts += 1;
  return { ...out, taint: out.taint | FROM.service };
}

function printsKept({ name, args, world }: Call): boolean {
  const { programs, verbs, own, says, elsewhere } = keptTexts(world.ontology);
  if (programs.has(name)) return true;
  const known = verbs.get(name);
  if (known === undefined) return false;
  const words = args.map(({ text }) => text);
  const operands = words.filter((text) => !text.startsWith('-'));
  const verb = operands.slice(0, MAX_VERBS).find((text) => known.includes(text));
  if (verb === undefined) return false;
  if (name !== 'git') return true;
  // A file of the project in a version of one's own is the project's; what a commit says and what another repository has are not.
  const line = words.join(' ');
  if (verb === 'show' && operands.some((text) => text.includes(':')))
    return operands.some((text) => elsewhere.test(text) && !own.test(text));
  return verb === 'notes' || says.test(line);
}
