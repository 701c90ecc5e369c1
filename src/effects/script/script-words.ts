/** Words of Ruby, PHP, Perl, Lua and Go that are no functions of a library: keywords, loops, functions that call functions. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';

export const scriptWords = perOntology((ontology) => ({
  keywords: setOf(ontology, 'script_keywords'),
  makers: setOf(ontology, 'script_makers'),
  loops: setOf(ontology, 'script_loops'),
  loop_links: setOf(ontology, 'script_loop_links'),
  dynamic_callers: setOf(ontology, 'script_dynamic_callers'),
  callback_takers: setOf(ontology, 'script_callback_takers'),
  first_takers: setOf(ontology, 'script_first_takers'),
  namespaces: setOf(ontology, 'script_namespaces'),
  environments: setOf(ontology, 'environment_objects'),
  request_variables: setOf(ontology, 'script_request_variables'),
  socket: patternOf(ontology, 'script_objects', 'socket'),
  extension: patternOf(ontology, 'script_objects', 'extension'),
}));
