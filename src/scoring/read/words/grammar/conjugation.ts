/**
 * Forms of verbs that ask, by the regular grammar of five languages: imperatives, the infinitive behind «please» or «can you»,
 * and in Romance languages the subjunctive of «I want you to». All without accents, as texts are compared.
 */

/** A verb of a language: its infinitive, and a stressed stem or an irregular form where it has one. */
export interface ForeignVerb {
  infinitive: string;
  /** '' for a regular verb. */
  other: string;
}

/** What a verb looks like in a sentence. */
export interface VerbForms {
  /** Forms of one word. */
  words: readonly string[];
  /** Forms whose prefix stands at the end of the clause: «lehne … ab». */
  parted: readonly string[];
  prefix: string;
  /** The participle that asks with «werden» behind it; '' where the language has none or it is irregular. */
  passive: string;
}

type Conjugation = (verb: ForeignVerb, clitics: readonly string[]) => VerbForms;

/** Shorter forms are words of another kind too often: «buch», «such», «kauf». */
const SHORTEST_BARE = 6;

const oneWord = (words: readonly string[]): VerbForms => ({
  words: [...new Set(words)],
  parted: [],
  prefix: '',
  passive: '',
});

/** Before `e` the sound of a stem is written otherwise: publicar, publique; pagar, pague; rechazar, rechace. */
function beforeE(stem: string): string {
  if (stem.endsWith('c')) return `${stem.slice(0, -1)}qu`;
  if (stem.endsWith('g')) return `${stem}u`;
  return stem.endsWith('z') ? `${stem.slice(0, -1)}c` : stem;
}

/** Spanish and Portuguese. The imperative of the first conjugation ends in `a`, its subjunctive in `e`; in the others it is the reverse. */
function iberian({ infinitive, other }: ForeignVerb, clitics: readonly string[], plural: 'n' | 'm'): VerbForms {
  // «Vosotros» has an imperative of its own in Spanish: `enviad`.
  const second = plural === 'n' ? [`${infinitive.slice(0, -1)}d`] : [];
  const stem = infinitive.slice(0, -2);
  const stressed = other === '' ? stem : other;
  const isFirst = infinitive.endsWith('ar');
  const soft = isFirst ? beforeE(stressed) : stressed;
  const imperatives = isFirst
    ? [`${stressed}a`, `${soft}e`, `${soft}e${plural}`]
    : [`${stressed}e`, `${stressed}a`, `${stressed}a${plural}`];
  const carrying = [...imperatives, ...second, infinitive];
  const subjunctive = isFirst ? `${soft}es` : `${stressed}as`;
  return oneWord([...carrying, subjunctive, ...carrying.flatMap((form) => clitics.map((clitic) => form + clitic))]);
}

function italian({ infinitive, other }: ForeignVerb, clitics: readonly string[]): VerbForms {
  const stem = infinitive.slice(0, -3);
  const stressed = other === '' ? stem : other;
  const vowel = infinitive.at(-3)!;
  const isFirst = vowel === 'a';
  const hard = /[cg]$/.test(stem) && isFirst ? `${stem}h` : stem;
  const second = stem.endsWith('i') ? stem : `${isFirst ? hard : stressed}i`;
  const formal = isFirst && stem.endsWith('i') ? [`${stem}i`] : [];
  const imperatives = isFirst ? [`${stem}a`, second, ...formal] : [`${stressed}i`, `${stressed}a`];
  const carrying = [imperatives[0]!, `${stem}${vowel}te`, infinitive.slice(0, -1)];
  return oneWord([
    ...imperatives,
    `${stem}${vowel}te`,
    infinitive,
    ...carrying.flatMap((form) => clitics.map((clitic) => form + clitic)),
  ]);
}

function french({ infinitive, other }: ForeignVerb): VerbForms {
  const stem = infinitive.slice(0, -2);
  if (infinitive.endsWith('er')) {
    const stressed = other === '' ? stem : other;
    return oneWord([infinitive, `${stressed}e`, `${stressed}es`, `${stem}ez`]);
  }
  if (infinitive.endsWith('re')) return oneWord([infinitive, other === '' ? `${stem}s` : other, `${stem}ez`]);
  return oneWord([infinitive, other === '' ? `${stem}is` : other, `${stem}issez`]);
}

function german({ infinitive, other }: ForeignVerb): VerbForms {
  const [prefix, verb] = infinitive.includes('|') ? (infinitive.split('|') as [string, string]) : ['', infinitive];
  const stem = verb.replace(/e?n$/, '');
  const bare = prefix !== '' || stem.length >= SHORTEST_BARE ? [stem] : [];
  const forms = [
    ...bare,
    `${stem}e`,
    `${stem}t`,
    // «Ich möchte, dass du … löschst»
    `${stem}st`,
    verb,
    ...(/[^r]ier$/.test(stem) ? [] : [`${stem}et`]),
    ...(other === '' ? [] : [other]),
  ];
  // «soll gelöscht werden»
  const passive = other === '' ? `${prefix}${/ier$/.test(stem) ? '' : 'ge'}${stem}t` : '';
  if (prefix === '') return { ...oneWord(forms), passive };
  return { words: [prefix + verb, `${prefix}zu${verb}`], parted: [...new Set(forms)], prefix, passive };
}

/** By language, the forms of one of its verbs. */
export const CONJUGATIONS: ReadonlyMap<string, Conjugation> = new Map<string, Conjugation>([
  ['es', (verb, clitics) => iberian(verb, clitics, 'n')],
  ['pt', (verb) => iberian(verb, [], 'm')],
  ['it', italian],
  ['fr', french],
  ['de', german],
]);
