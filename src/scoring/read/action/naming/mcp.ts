/** Whether a tool server is what its name says, as far as names can tell. */

import type { AgentEvent } from '../../../../events/event.ts';
import { withoutEnd } from '../../../../lang/ends.ts';
import { asciiLower, singular, wordsOf } from '../../../../lang/names.ts';
import { remembering } from '../../../../lang/remember.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { distance, skeleton } from '../../words/lookalike.ts';

const nameWords = perOntology((ontology) => ({
  filler: setOf(ontology, 'server_filler_words'),
  vouching: setOf(ontology, 'vouching_words'),
}));
const LONGEST = 64;

/** `github-mcp-server` → `github`. */
function bareName(name: string, ontology: Ontology): string {
  const { filler } = nameWords(ontology);
  return wordsOf(name)
    .map(singular)
    .filter((word) => !filler.has(word))
    .join('');
}

const knownServers = perOntology((ontology) => {
  const names = [...ontology.tools.values()].flat().flatMap(({ server, server_names }) => [server, ...server_names]);
  return new Set(names.map((name) => bareName(name, ontology)).filter((name) => name.length >= 5));
});

/** The known server that this server's name imitates: a few letters off, look-alike letters, or «official» beside it. */
export function imitatedServer(event: AgentEvent, ontology: Ontology): string {
  const name = event.mcp_context?.server_name ?? '';
  return name === '' || name.length > LONGEST ? '' : imitatedByName(ontology)(name);
}

const imitatedByName = perOntology((ontology) => remembering((name) => findImitated(name, ontology)));

function findImitated(name: string, ontology: Ontology): string {
  const known = knownServers(ontology);
  const { filler, vouching } = nameWords(ontology);
  const bare = bareName(name, ontology);
  if (bare.length < 5 || known.has(bare)) return '';
  // `email` says what the server is for and is not `gmail` misspelt.
  if (ontology.domains.has(bare)) return '';
  const words = wordsOf(name);
  if (words.some((word) => vouching.has(word))) {
    const rest = words.filter((word) => !vouching.has(word) && !filler.has(word)).join('');
    if (known.has(rest)) return rest;
  }
  // Instances of one server carry numbers: those are honest.
  if (known.has(withoutEnd(bare, /\d/))) return '';
  for (const server of known) {
    const most = server.length >= 8 ? 2 : 1;
    if (skeleton(bare) === skeleton(server) || distance(bare, server, most) <= most) return server;
  }
  return '';
}

/** The only server that is known to have a tool of this name, when the call goes through another one; else ''. */
export function rightfulServer(event: AgentEvent, ontology: Ontology): string {
  const { tool_name = '', server_name = '' } = event.mcp_context ?? {};
  if (tool_name === '' || server_name === '' || tool_name.length > LONGEST) return '';
  const entries = ontology.tools.get(asciiLower(tool_name)) ?? [];
  const [first] = entries;
  // A name that several servers use belongs to none of them.
  if (first === undefined || entries.some(({ server }) => server !== first.server)) return '';
  const own = bareName(server_name, ontology);
  const names = [first.server, ...first.server_names].map((name) => bareName(name, ontology));
  return names.some((name) => own.includes(name) || name.includes(own)) ? '' : first.server;
}
