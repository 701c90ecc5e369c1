/**
 * The closed classes of words that decide whether a verb is asked for: «please send» is, «the sent» and «safe to send»
 * are not. English in the main; the verbs themselves, in whatever language, come from the ontology.
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

/** Stands in one of the tables beside this one: of domains, of phrases, of roles handed over, of light verbs. */
export const TABLED = 1 << 31;

export const GROUP_MASK = (1 << 21) - 1;

const row = (words: string): string[] => words.split(' ');

export const GRAMMAR: readonly [bits: number, words: readonly string[]][] = [
  [
    NEGATION,
    row(
      'not dont never without avoid cannot shouldnt mustnt nor nicht kein keine keinen keinesfalls niemals nie nichts niets ohne ne pas jamais sans nunca sin non senza nao sem niet nooit zonder bez',
    ),
  ],
  [
    BEFORE_NOUN,
    row(
      'the a an my your our their his her its this that these those each every any some no of for in on at with from about by as into per between via which what whose der die das den dem ein eine mein meine le la les un une mon ma mes el los mi mis su last first new next previous current recent latest same other',
    ),
  ],
  [
    LEAD,
    row(
      'please kindly then now also just and or next finally simply immediately instead must should shall lets let bitte und puis et y por favor first second third afterwards quickly either both help would',
    ),
  ],
  [YOU, row('you u ya sie du vous tu usted')],
  [
    MODAL,
    row(
      'can could would will shall must should may might need have want like koennen koennten kannst pouvez peux puede puedes puoi kun kunt mozesz',
    ),
  ],
  [
    OBJECT,
    row(
      'the a an my your our their his her its this that these those all any every each it them him me us everything everyone both another one some der die das den le la les el los',
    ),
  ],
  [
    STOPWORD,
    row(
      'the a an and or but if of for in on at to with from about by as is are was were be been being it its this that these those i you he she we they me my your our their his her them us him have has had do does did not no yes can could will would should shall may might must please also then than so just all any some there here when where which who what how one two more most into out up over under after before again only own same too very dont am get got let lets im ive id',
    ),
  ],
];

/** Verbs of a request that are nouns as often; as verbs they count only where a noun cannot stand. */
export const NOUN_LIKE = row(
  'order book email mail message text call test post report record note plan charge trade request review comment file copy log label tag share query filter search change transfer import export upload download build release fix update purchase refund start stop draft address contact list count check view run set push commit merge invoice tip bid quote head watch tail status profile index score rank type load press drag play like vote wire drive heat dose ship lock mark schedule backup snapshot clone fork answer reply invite need use access issue wait rate return input label process complete open close present resume note active lies lis liste',
);

/** «It is safe to delete»: a statement, not an order. */
export const STATED = new Set(
  row(
    'safe ok okay fine easy possible impossible allowed permitted used free able unable hard difficult supposed expected likely ready right authorized authorised eligible going happy unlikely failed tried able intended meant due',
  ),
);

/** Negations that follow their verb: «schicke sie nicht ab», «verwijder dat niet». */
export const NEGATED_AFTER = row('nicht keinen keinesfalls niemals nie pas jamais niet nooit');
/** Behind one of these the negation belongs to what is spoken of: «Dateien, die nicht gebraucht werden». */
export const RELATIVE = row('die der das welche qui que dat wat czego');

/** «Do not forget to send»: negated words that turn a prohibition round. */
export const TURNS_ROUND = new Set(
  row(
    'forget hesitate fail worry mind miss neglect wait vergiss vergessen oublie oublier olvides olvidar dimenticare esqueca vergeet zapomnij',
  ),
);

/** After these «-ing» is asked for. */
export const BEFORE_ING = new Set(row('by start begin consider try mind and help with for keep continue about'));

/** Past forms that no ending gives away. */
export const IRREGULAR: readonly [past: string, verb: string][] = [
  ['sent', 'send'],
  ['paid', 'pay'],
  ['bought', 'buy'],
  ['sold', 'sell'],
  ['made', 'make'],
  ['written', 'write'],
  ['found', 'find'],
  ['shown', 'show'],
  ['built', 'build'],
];
