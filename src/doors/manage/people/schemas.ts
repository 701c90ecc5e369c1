/** Requests and answers of the endpoints for people. */
import { type TObject, Type } from 'typebox';
import type { Delegations } from '../../../people/delegations.ts';
import type { Oidc } from '../../../people/oidc.ts';
import { MAX_PASSWORD } from '../../../people/passwords.ts';
import type { People } from '../../../people/people.ts';
import { roles } from '../../../people/roles.ts';
import type { Sessions } from '../../../people/sessions.ts';
import type { OwnAddress } from '../../../platform/http/own-address.ts';

export interface PeopleDoorParts {
  people: People;
  sessions: Sessions;
  delegations: Delegations;
  /** `null`: no provider is configured. */
  oidc: Oidc | null;
  address: OwnAddress;
}

const uuid = Type.String({ format: 'uuid' });
const time = Type.String({ format: 'date-time' });
const strict = { additionalProperties: false };
const role = Type.Enum([...roles], { type: 'string' });
const email = Type.String({ minLength: 3, maxLength: 254 });

const person = { person_id: uuid, customer_id: uuid, email: Type.String(), name: Type.String(), role };

export const personSchema = Type.Object({ ...person, created_at: time });
export const peopleSchema = Type.Object({ people: Type.Array(personSchema) });
export const linkSchema = Type.Object({
  person_id: uuid,
  sign_in_url: Type.String({ description: 'works once; shown this once' }),
  minutes: Type.Integer({ description: 'how long it works' }),
});
export const addedSchema = Type.Object({ ...person, created_at: time, ...linkSchema.properties });

export const addBody: TObject = Type.Object(
  { customer_id: uuid, email, name: Type.Optional(Type.String({ maxLength: 100 })), role },
  strict,
);
export const roleBody: TObject = Type.Object({ role }, strict);
export const signInBody: TObject = Type.Object(
  {
    link: Type.Optional(Type.String({ maxLength: 200, description: 'the secret of a one-time link' })),
    email: Type.Optional(email),
    password: Type.Optional(
      Type.String({
        maxLength: MAX_PASSWORD,
        description: 'with `link`: the password to set; with `email`: the one that was set',
      }),
    ),
    customer_id: Type.Optional(uuid),
  },
  strict,
);
export const sessionSchema = Type.Object({
  person: Type.Object({ ...person, signed_in: Type.String({ description: 'link, password or oidc' }) }),
  scopes: Type.Array(Type.String()),
  csrf_token: Type.String({ description: 'as in the answer of `POST /sign-in`: for pages that were opened later' }),
});
export const signedInSchema = Type.Object({
  person: personSchema,
  csrf_token: Type.String({ description: 'for the header `X-CSRF-Token` of every request that changes something' }),
});
export const delegationBody: TObject = Type.Object(
  {
    customer_id: uuid,
    from: Type.Optional(
      Type.String({ description: 'email or id; default: the signed-in person. Another one needs `admin`' }),
    ),
    to: Type.String({ description: 'email or id' }),
    minutes: Type.Integer({ minimum: 1, maximum: 129_600 }),
  },
  strict,
);
export const delegationSchema = Type.Object({
  delegation_id: uuid,
  from: Type.String({ description: 'email' }),
  to: Type.String({ description: 'email' }),
  expires_at: time,
});
