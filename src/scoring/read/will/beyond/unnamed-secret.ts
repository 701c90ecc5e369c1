/** A file of secrets that is opened while the user asks for some other thing by its name, and of which nobody spoke. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ContentReading } from '../../action/content/content.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../../values/argument.ts';
import { groupBits } from '../../words/vocabulary.ts';
import { saysPartOf } from './said-path.ts';

/** A path, a name of a file, an id or words in quotation marks. */
const NAMED_THING =
  /(?<![\w/:])(?:\/[\w.-]{1,64}){1,8}|\b\w{1,40}[_-]\d{1,12}\b|\b[\w-]{1,64}\.[a-z]{2,5}\b|["'«“][^"'»”\n]{3,80}["'»”]/i;
const endings = perOntology((ontology) => setOf(ontology, 'source_endings'));

/** A request that names a file of source code or settings is work on a system. */
const namesSource = (request: string, ontology: Ontology): boolean =>
  [...request.matchAll(/\w\.([a-z]{1,5})(?![\w/])/gi)].some(([, ending = '']) =>
    endings(ontology).has(ending.toLowerCase()),
  );

/** Settings of a project in hidden files are opened with everything else in it. */
const HIDDEN = /(?:^|\/)\.[^/]/;

/** The path, '' where there is none: the user speaks of the file, or asks for work on a system. */
export function unnamedSecret(
  content: ContentReading,
  args: readonly Argument[],
  text: TextReading,
  ontology: Ontology,
): string {
  if (!text.has_request) return '';
  const read = content.effects.filter(({ kind, object }) => kind === 'reads_credentials' && !HIDDEN.test(object));
  if (read.length === 0) return '';
  const request = requestOf(text, ontology);
  const said = text.last_user_message || text.trusted;
  if (request.groups === 0 || !NAMED_THING.test(said) || namesSource(said, ontology)) return '';
  if ((request.groups & groupBits('work_on_systems', ontology)) !== 0) return '';
  // What a result names is not asked for by that: anyone who writes into it could name the file.
  const isUnasked = (path: string): boolean =>
    args.some(({ kind, provenance, value }) => kind === 'path' && provenance !== 'user' && value.endsWith(path));
  return read.find(({ object }) => isUnasked(object) && !saysPartOf(object, text))?.object ?? '';
}
