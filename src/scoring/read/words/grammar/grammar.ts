/**
 * The kinds of words that decide whether a verb is asked for: «please send» is, «the sent» and «safe to send» are not.
 * Which words are of a kind, in English and in other languages, is data of the ontology (`lists/languages.yaml`); the rules
 * of word order that read the kinds are code: docs/decisions/0020-grammar-in-code.md.
 */

// Bits 0-20 hold verb groups, by their place in the ontology's order of danger.
/** A form such as «sending», asked for only after certain words. */
export const ING = 1 << 21;
/** «sent», «sends»: told, not asked. */
export const TOLD = 1 << 22;
/** A noun as often as a verb: «order», «email». */
export const NOUNISH = 1 << 23;
export const NEGATION = 1 << 24;
/** Article, possessive, number word, preposition: a noun follows. */
export const BEFORE_NOUN = 1 << 25;
/** «please», «then», «must», «and»: a verb that follows is asked for. */
export const LEAD = 1 << 26;
export const YOU = 1 << 27;
export const MODAL = 1 << 28;
/** Article or possessive or pronoun: after a verb, its object. */
export const OBJECT = 1 << 29;
/** Too common to tell texts apart. */
export const STOPWORD = 1 << 30;

/** An entry of one of the tables beside this one: of domains, of phrases, of roles handed over, of light verbs. */
export const TABLED = 1 << 31;

export const GROUP_MASK = (1 << 21) - 1;

/** The closed classes, each under its name in the table `function_words` of the ontology, which has its members by language. */
export const CLASSES: readonly { name: string; bit: number }[] = [
  { name: 'negation', bit: NEGATION },
  { name: 'before_noun', bit: BEFORE_NOUN },
  { name: 'lead', bit: LEAD },
  { name: 'you', bit: YOU },
  { name: 'modal', bit: MODAL },
  { name: 'object', bit: OBJECT },
];
