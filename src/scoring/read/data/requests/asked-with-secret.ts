/** A secret that the agent has seen, in an argument of a tool that only asks somebody outside: a search of the web, a forecast, a translation. */

import { matchFieldName } from '../../words/field-names.ts';
import { askingGroups, type RequestParts } from './requests.ts';

const SECRET = 'secret';
/** Below this a domain holds nothing of the organisation's own, so that whoever is asked there is a stranger (`default_sensitivity`). */
const OWN_DATA = 2;

/** Whether nothing says that the tool works on what belongs to the organisation. */
function asksOutside({ action, content, ontology }: RequestParts): boolean {
  if (content.languages.length > 0 || !askingGroups(ontology).has(action.effective_group)) return false;
  // Whoever runs a server chooses its name, so that what it tells counts for nothing here.
  return action.domains.own.every(({ default_sensitivity }) => default_sensitivity < OWN_DATA);
}

/** Path of that argument; '' if there is none. One that is made for a credential, or that the user gave, is none. */
export function argumentWithSeenSecret(r: RequestParts): string {
  const secrets = r.data.carried.filter(
    ({ data, where, technique }) =>
      data.data_class === SECRET && where !== data.where && where !== 'parameters' && technique !== 'chunk',
  );
  if (secrets.length === 0 || !asksOutside(r)) return '';
  const holds = new Set(secrets.map(({ where }) => where));
  const found = r.arguments.find(
    ({ path, role, kind, provenance }) =>
      // What an address shows is read as an address.
      kind !== 'url' &&
      holds.has(`parameters.${path}`) &&
      role !== SECRET &&
      provenance !== 'user' &&
      matchFieldName(path.slice(path.lastIndexOf('.') + 1), r.ontology)?.data_class !== SECRET,
  );
  return found?.path ?? '';
}
