/** Command lines that give somebody the right to everything in a service that many share, or set the password of its administrator. */
import { wordsOf as partsOf } from '../../lang/names.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { type Call, isDryRun, lineOf } from '../shell/call.ts';
import type { World } from '../world.ts';
import { pairsOfCommand } from './pairs.ts';
import { noteProtections } from './protections.ts';
import { noteAdministeredSettings } from './settings.ts';
import { noteTrust } from './trust.ts';

/** Words that may say what a command does; behind them stand names. */
const MAX_WORDS = 5;
/** Longer words are texts and no names of rights. */
const MAX_RIGHT = 40;
const MAX_LINE = 120;
const MAX_TEXT = 16_000;

export const administeredRights = perOntology((ontology) => ({
  gives: setOf(ontology, 'granting_words'),
  nouns: setOf(ontology, 'right_nouns'),
  rights: setOf(ontology, 'full_rights'),
  options: setOf(ontology, 'full_right_options'),
  everybody: setOf(ontology, 'everybody'),
  passwords: setOf(ontology, 'password_words'),
  sets: setOf(ontology, 'password_verbs'),
  administrators: setOf(ontology, 'administrators'),
  things: new Set(tableOf(ontology, 'guard_things').get('things')),
  ended: new Set(tableOf(ontology, 'guard_things').get('ended')),
  everything: patternOf(ontology, 'rights_texts', 'everything'),
  membership: patternOf(ontology, 'rights_texts', 'membership'),
  account: patternOf(ontology, 'rights_texts', 'account'),
  rehearses: anyOf(ontology, 'administered_rehearsals'),
}));

/** Notes what a command line of an administrator sets, gives and switches off. */
export function noteAdministration(c: Call): void {
  if (isDryRun(c, c.args) || administeredRights(c.world.ontology).rehearses.test(`${c.name} ${lineOf(c)}`)) return;
  noteAdministeredSettings(c.world, `${shownLine(c)}\n${c.stdin?.text ?? ''}`, c.excerpt, {
    named: c.name,
    isLine: true,
  });
  noteRightsIn(
    c.world,
    [c.stdin?.text ?? '', ...c.args.map(({ text, content }) => content?.text ?? text), lineOf(c)],
    c.excerpt,
  );
  noteVariables(c);
  const { operands, options } = split(c);
  const heads = operands.slice(0, MAX_WORDS);
  const parts = new Set([c.name, ...heads].flatMap((word) => [word, ...partsOf(word)]));
  const { gives, passwords, sets, administrators, things, ended } = administeredRights(c.world.ontology);
  const has = (words: ReadonlySet<string>): boolean => [...parts].some((part) => words.has(part));
  for (const { name } of options) for (const part of [name, ...partsOf(name)]) if (gives.has(part)) parts.add(part);
  if (has(gives)) noteRight(c, operands, options, parts);
  const isNamed = [...operands, ...options.map(({ value }) => value)].some(
    (word) => administrators.has(word) || partsOf(word).some((part) => administrators.has(part) && /[-_]/.test(word)),
  );
  if (has(passwords) && has(sets) && isNamed)
    c.world.add('escalates', 'one', 'password of the administrator', c.excerpt);
  if (has(ended) && has(things)) c.world.add('tampers_with_guards', 'one', heads.join(' '), c.excerpt);
}

/** Notes what the settings on a command line, and in the document that it gets, protect no longer and point elsewhere. */
function noteVariables(c: Call): void {
  const words = c.args.map(({ text }) => text);
  const input = c.stdin?.text ?? '';
  const pairs = pairsOfCommand(words, input);
  noteProtections(c.world, pairs, c.excerpt);
  const about = [c.name, ...words.filter((word) => /^[a-z][\w:/-]{1,60}$/i.test(word)).slice(0, MAX_WORDS)].join(' ');
  noteTrust(c.world, pairs, `${words.join(' ')}\n${input}`, about, c.excerpt);
}

/** The words of a command; a word of nothing is shown as one. */
const shownLine = (c: Call): string => c.args.map(({ text }) => (text === '' ? '""' : text)).join(' ');

/** Notes texts that give the right to everything: a policy, a change of a directory, an account. */
export function noteRightsIn(world: World, texts: readonly string[], excerpt: string): void {
  const { everything, membership, account } = administeredRights(world.ontology);
  for (const text of texts.map((one) => one.slice(0, MAX_TEXT))) {
    const found = [everything, membership, account]
      .map((pattern) => pattern.exec(text)?.[0])
      .find((one) => one !== undefined);
    if (found !== undefined) world.add('grants', 'everything', found, excerpt);
  }
}

interface Option {
  name: string;
  value: string;
}

/** Operands and options in lower case. What follows an option counts as both, because it may be either. */
function split(c: Call): { operands: string[]; options: Option[] } {
  const operands: string[] = [];
  const options: Option[] = [];
  for (const [i, { text }] of c.args.entries()) {
    const [, name = '', value] = /^-{0,2}([A-Za-z][\w.-]{0,60})(?:=([^\s]{0,200}))?$/.exec(text) ?? [];
    if (value !== undefined) options.push({ name: name.toLowerCase(), value: value.toLowerCase() });
    else if (text.startsWith('-')) {
      const next = c.args[i + 1]?.text ?? '';
      options.push({
        name: text.replace(/^-{1,2}/, '').toLowerCase(),
        value: next.startsWith('-') ? '' : next.toLowerCase(),
      });
    } else operands.push(...wordsIn(text));
  }
  return { operands, options };
}

/** A command handed over as one text has words of its own: `kadmin -q 'addprinc root/admin'`. */
const wordsIn = (text: string): string[] =>
  text.length <= MAX_LINE && !/["'{=]/.test(text)
    ? [text, ...text.split(/\s+/)].map((word) => word.toLowerCase())
    : [text.toLowerCase()];

/** Notes the right to everything that a command gives: as the value of an option for rights, or behind a word for rights. */
function noteRight(c: Call, operands: readonly string[], options: readonly Option[], parts: ReadonlySet<string>): void {
  const { nouns, rights, options: full, everybody } = administeredRights(c.world.ontology);
  const isNoun = (word: string): boolean => nouns.has(word) || partsOf(word).some((part) => nouns.has(part));
  const rightIn = (value: string): string | undefined =>
    value.length > MAX_RIGHT ? undefined : value.split(',').find((word) => rights.has(word));
  const given =
    options.find(({ name }) => full.has(name))?.name ??
    options
      .map(({ name, value }) => (isNoun(name) ? rightIn(value) : undefined))
      .find((right) => right !== undefined) ??
    options.find(({ value }) => everybody.has(value))?.value ??
    ([...parts].some((part) => nouns.has(part)) ? rightBehind(operands, isNoun, rightIn) : undefined);
  if (given !== undefined) c.world.add('grants', 'everything', given, c.excerpt);
}

/** The right to everything among the operands behind the word that says what is given. */
function rightBehind(
  operands: readonly string[],
  isNoun: (word: string) => boolean,
  rightIn: (value: string) => string | undefined,
): string | undefined {
  const at = operands.findIndex(isNoun);
  return operands
    .slice(at + 1)
    .map(rightIn)
    .find((right) => right !== undefined);
}
