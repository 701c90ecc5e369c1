/** People of a customer: add, list, change the role, invite again, remove. */
import { Type } from 'typebox';
import type { NewPerson } from '../../../people/people.ts';
import { signInUrl } from '../../../people/people.ts';
import { WeirError } from '../../../platform/errors.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import type { StoredPerson } from '../../../storage/ports/people.ts';
import { customerIn, operator, plainBody } from '../token-schemas.ts';
import {
  addBody,
  addedSchema,
  linkSchema,
  type PeopleDoorParts,
  peopleSchema,
  personSchema,
  roleBody,
} from './schemas.ts';

type Parts = Pick<PeopleDoorParts, 'people' | 'address'>;

const common = { tag: 'people', access: 'management', scope: 'admin' } as const;

export function managePeople({ people, address }: Parts) {
  const found = async (person_id: string): Promise<StoredPerson> => {
    const person = await people.find(person_id);
    if (person === null) throw new WeirError('not_found', { detail: 'there is no such person' });
    return person;
  };
  const customerOf = async ({ path }: { path: { person_id: string } }): Promise<string | null> =>
    (await people.find(path.person_id))?.customer_id ?? null;
  return [
    endpoint({
      ...common,
      method: 'POST',
      path: '/people',
      operation: 'add_person',
      summary: 'Add a person of a customer',
      description:
        'Roles: `viewer` reads; `approver` also decides about held events; `policy_editor` also replaces the policy; `admin` does everything of this customer. The link signs the person in once.',
      body: plainBody<NewPerson>(addBody),
      answers: { 201: { description: 'added', schema: addedSchema } },
      errors: ['conflict'],
      handle: async ({ body, request }) => {
        const customer_id = customerIn(body.customer_id);
        const { link, ...person } = await people.add({ ...body, customer_id }, operator(request));
        return { status: 201, body: { ...person, sign_in_url: signInUrl(address.url(), link) } };
      },
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/people/{customer_id}',
      operation: 'list_people',
      summary: 'The people of a customer',
      answers: { 200: { description: 'oldest first', schema: peopleSchema } },
      handle: async ({ path }) => ({ body: { people: await people.list(path.customer_id) } }),
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/people/{person_id}/role',
      operation: 'set_role',
      summary: 'Give a person another role',
      description: 'Ends the sessions of the person.',
      customerOf,
      body: plainBody<{ role: string }>(roleBody),
      answers: { 200: { description: 'changed', schema: personSchema } },
      errors: ['not_found'],
      handle: async ({ path, body, request }) => {
        await people.setRole(await found(path.person_id), body.role, operator(request));
        return { body: await found(path.person_id) };
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/people/{person_id}/link',
      operation: 'link_person',
      summary: 'Make a new one-time link for a person',
      description: 'Earlier links of the person end.',
      customerOf,
      answers: { 201: { description: 'made', schema: linkSchema } },
      errors: ['not_found'],
      handle: async ({ path, request }) => {
        const { link, minutes } = await people.link(await found(path.person_id), operator(request));
        return {
          status: 201,
          body: { person_id: path.person_id, sign_in_url: signInUrl(address.url(), link), minutes },
        };
      },
    }),
    endpoint({
      ...common,
      method: 'DELETE',
      path: '/people/{person_id}',
      operation: 'remove_person',
      summary: 'Remove a person',
      description: 'Ends its sessions, links and delegations. Decisions keep its name.',
      customerOf,
      answers: {
        200: {
          description: 'removed',
          schema: Type.Object({ person_id: Type.String({ format: 'uuid' }), status: Type.Literal('removed') }),
        },
      },
      errors: ['not_found'],
      handle: async ({ path, request }) => {
        const person = await found(path.person_id);
        await people.remove(person, operator(request));
        return { body: { person_id: person.person_id, status: 'removed' } };
      },
    }),
  ];
}
