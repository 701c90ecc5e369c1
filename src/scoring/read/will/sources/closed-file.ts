/**
 * A file that goes out although the list that names it marks it as closed, or that holds everybody's data where the list has a file which
 * the user's words name.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { alternatives } from '../../../../ontology/pattern.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, listOf, setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  marks: anyOf(ontology, 'closed_file_marks'),
  whole: setOf(ontology, 'whole_stock_words'),
  file: new RegExp(
    `(?<![\\p{L}\\p{N}_.-])[\\p{L}\\p{N}_.-]{1,120}\\.${alternatives(listOf(ontology, 'file_endings'))}(?![\\p{L}\\p{N}_])`,
    'giu',
  ),
}));

const MAX_LEAVES = 100;
const MAX_PASSAGES = 12;
const MAX_PASSAGE = 32_768;
const MAX_FILES = 200;
const LONGEST_REMARK = 160;
const SHORTEST = 3;
/** Words of the user that the other file has in its name, and the one that is sent lacks. */
const LEAST_MORE = 2;

/** The mark of the file that is sent, or the name of the file that is meant; '' if neither. */
export function closedFile(event: AgentEvent, ontology: Ontology, text: TextReading): { file: string; reason: string } {
  const none = { file: '', reason: '' };
  if (text.untrusted.length === 0) return none;
  const sent = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ value }) => (typeof value === 'string' ? nameIn(value, ontology) : []));
  if (sent.length === 0) return none;
  const said = foldedUserWords(text);
  const of_user = new Set(tokensIn(said));
  const { marks, whole, file } = words(ontology);
  for (const { text: passage } of text.untrusted.slice(-MAX_PASSAGES)) {
    const cut = passage.slice(0, MAX_PASSAGE);
    const files = [...cut.matchAll(file)].slice(0, MAX_FILES).map((match) => ({
      name: foldText(match[0]),
      end: match.index + match[0].length,
      at: match.index,
    }));
    for (const [i, { name, end }] of files.entries()) {
      if (!sent.includes(name) || said.includes(name)) continue;
      const line = /^[^\n]*/.exec(cut.slice(end, Math.min(files[i + 1]?.at ?? cut.length, end + LONGEST_REMARK)))![0];
      const mark = marks.exec(foldText(line))?.[0];
      if (mark !== undefined) return { file: name, reason: mark };
      const own = tokensIn(name);
      if (!own.some((word) => whole.has(word))) continue;
      const held = own.filter((word) => of_user.has(word)).length;
      const meant = files.find(
        (other) => tokensIn(other.name).filter((word) => of_user.has(word)).length >= held + LEAST_MORE,
      );
      if (meant !== undefined && !sent.includes(meant.name)) return { file: name, reason: meant.name };
    }
  }
  return none;
}

/** The name of a file, alone or at the end of a path. */
function nameIn(value: string, ontology: Ontology): string[] {
  if (value.length > 400) return [];
  const last = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1).trim();
  return last.replace(words(ontology).file, '') === '' && last !== '' ? [foldText(last)] : [];
}

const tokensIn = (said: string): string[] =>
  said.split(/[^\p{L}]+/u).filter((word) => word.length >= SHORTEST || /[^\x00-\x7f]/.test(word));
