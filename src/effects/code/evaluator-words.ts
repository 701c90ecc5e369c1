/** Words of Python and JavaScript that their interpreter knows beside the libraries: members, methods, objects. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { callSource } from './library-calls.ts';

/** Methods that call a function with the object itself, once it is there. */
export const promiseMembers = perOntology((ontology) => setOf(ontology, 'promise_members'));

/** Members of a function that call it, prepare its call or hold it. */
export const callingMembers = perOntology((ontology) => setOf(ontology, 'calling_members'));

/** Methods of an open file that write nothing into it. */
export const idleMethods = perOntology((ontology) => setOf(ontology, 'idle_file_methods'));

/** Finds the call of a function that starts a process or thread. */
export const processStart = perOntology((ontology) => new RegExp(callSource(ontology, 'code', 'process_starters')));

/** Objects whose members are environment variables. */
export const environments = perOntology((ontology) => setOf(ontology, 'environment_objects'));

/** Names that programs give to a request they answer, and its members that the sender writes. */
export const requestValues = perOntology((ontology) => ({
  objects: setOf(ontology, 'request_objects'),
  members: setOf(ontology, 'request_members'),
}));
