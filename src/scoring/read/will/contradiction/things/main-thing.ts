/** The main thing where the user named a variant of it: the queue `orders` where the user said `orders.dlq`, a table without its `_tmp`. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { wordsOf } from '../../../../../lang/names.ts';
import { standsAlone } from '../../../../../lang/stands-alone.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import type { Contradiction } from '../contradicted.ts';

const variants = perOntology((ontology) => setOf(ontology, 'variant_words'));

const MAX_LEAVES = 200;
const MAX_NAMES = 64;
const LONGEST_VALUE = 8_192;
const SHORTEST = 3;
/** A name with a part behind a separator: `orders.dlq`, `users_tmp`, `web-canary`. */
const NAME = /(?<![\w./:@-])([a-z][\w.-]{1,80}?)([-_.:])([a-z\d]{1,16})(?![\w@/-]|\.\w)/gi;

/** Variants that the user names without their main thing: who speaks of both may mean either. */
const askedVariants = perRequest((said, ontology) =>
  [...said.matchAll(NAME)]
    .slice(0, MAX_NAMES)
    .map(([whole, base = '', , end = '']) => ({ whole, base, end }))
    .filter(({ base, end }) => base.length >= SHORTEST && wordsOf(end).some((word) => variants(ontology).has(word)))
    .filter(({ base }) => !stands(base, said)),
);

export function mainThings(event: AgentEvent, text: TextReading): readonly Contradiction[] {
  const found: Contradiction[] = [];
  for (const { whole, base, end } of askedVariants(text)) {
    const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
    const texts = leaves.map(({ path, value }) => ({ path, value: String(value).slice(0, LONGEST_VALUE) }));
    // `payments` in the cluster `dev` may be what is called `payments-dev`.
    if (texts.some((one) => stands(whole, one.value) || wordsOf(one.value).includes(end.toLowerCase()))) continue;
    const used = texts.find((one) => stands(base, one.value));
    if (used !== undefined)
      found.push({ parameter: used.path, asked: whole, used: base, kind: 'name', factor: 1, is_less: false });
  }
  return found;
}

/** A full stop at the end of a sentence continues no name, and none before a name does: `public.orders` names the table. */
const CONTINUED = /^[\w-]|^[.:][\w-]/;

const stands = (name: string, text: string): boolean =>
  standsAlone(name.toLowerCase(), text.toLowerCase(), { behind: CONTINUED });
