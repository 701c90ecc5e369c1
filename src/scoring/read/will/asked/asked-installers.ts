/** Whether all code that a command takes from the network is a well-known maker's installer, as the user asked. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ContentReading } from '../../action/content/content.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';

const addresses = perOntology((ontology) => [...setOf(ontology, 'installer_addresses')]);
/** An address up to what a shell or a quoted text ends it with. */
const ADDRESS = /(\w{1,16}):\/\/([^\s'"`|;&<>()\\]{1,300})/g;
const MAX_COMMAND = 4_096;

/**
 * True if the user asks to run or install something and every address in the parameters is one of `installer_addresses`, over TLS. False
 * where the code reaches a host whose address is not written out.
 */
export function asksKnownInstaller(
  event: AgentEvent,
  content: ContentReading,
  text: TextReading,
  ontology: Ontology,
): boolean {
  if (content.hosts.length === 0 || content.unresolved !== '') return false;
  const asked = requestOf(text, ontology).groups & vocabularyOf(ontology).bitOf('execute');
  if (asked === 0) return false;
  const hosts = new Set(content.hosts);
  for (const { value } of parametersOf(event).leaves) {
    if (typeof value !== 'string') continue;
    if (value.length > MAX_COMMAND) return false;
    for (const [, scheme = '', rest = ''] of value.matchAll(ADDRESS)) {
      const address = rest.toLowerCase();
      if (scheme !== 'https' || !addresses(ontology).some((known) => isAt(address, known))) return false;
      hosts.delete(address.split('/', 1)[0]!);
    }
  }
  return hosts.size === 0;
}

/** The address itself or what lies below it: `sh.rustup.rs/x` and `astral.sh/uv/install.sh`, and not `sh.rustup.rs.example`. */
function isAt(address: string, known: string): boolean {
  const end = address[known.length];
  return address.startsWith(known) && (end === undefined || end === '/' || end === '?' || end === '#');
}
