/** People on the auth port, in the order the documentation shows them. */
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { delegationEndpoints } from './delegations.ts';
import { managePeople } from './manage.ts';
import type { PeopleDoorParts } from './schemas.ts';
import { signInEndpoints } from './sign-in.ts';

export type { PeopleDoorParts } from './schemas.ts';

export function peopleEndpoints(parts: PeopleDoorParts): Endpoint[] {
  return [...signInEndpoints(parts), ...managePeople(parts), ...delegationEndpoints(parts)];
}
