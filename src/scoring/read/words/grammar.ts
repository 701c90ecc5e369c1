/**
 * The closed classes of words that decide whether a verb is asked for: «please send» is, «the sent» and «safe to send»
 * are not. English; the members of other languages and all verbs come from the ontology. Why these stand in code:
 * docs/decisions/0020-grammar-in-code.md.
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

const row = (words: string): string[] => words.split(' ');

/** Articles, possessives, demonstratives and quantifiers: before a noun, and after a verb the beginning of its object. */
const DETERMINERS = row('the a an my your our their his her its this that these those each every any some');

/** Each class under its name in `function_words` of the ontology, where other languages have their members. */
export const CLASSES: readonly { name: string; bit: number; english: readonly string[] }[] = [
  { name: 'negation', bit: NEGATION, english: row('not dont never without avoid cannot shouldnt mustnt nor') },
  { name: 'before_noun', bit: BEFORE_NOUN, english: DETERMINERS },
  {
    name: 'before_noun',
    bit: BEFORE_NOUN,
    english: row(
      'no of for in on at with from about by as into per between via which what whose last first new next previous current recent latest same other',
    ),
  },
  {
    name: 'lead',
    bit: LEAD,
    english: row(
      'please kindly then now also just and or next finally simply immediately instead must should shall lets let first second third afterwards quickly either both help would',
    ),
  },
  { name: 'you', bit: YOU, english: row('you u') },
  {
    name: 'modal',
    bit: MODAL,
    english: row('can could would will shall must should may might need have want like'),
  },
  { name: 'object', bit: OBJECT, english: DETERMINERS },
  {
    name: 'object',
    bit: OBJECT,
    english: row('all it them him me us everything everyone both another one'),
  },
];

/** After these «-ing» is asked for. */
export const BEFORE_ING = row('by start begin consider try mind and help with for keep continue about');
