/**
 * Authentication by the headers of the call, before any message is read, so that a caller without access cannot make
 * the server read one. The same key gate as REST, so the same limits and the same answer to every invalid key. A token
 * beside the key must be valid now; its rights are checked for each event.
 */
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { type Admit, bearerOf, type Caller, type Credentials, checkScope } from '../../../platform/caller.ts';
import type { Intake } from '../../../platform/http/intake.ts';
import type { VerifyToken } from '../../../tokens/verify/verify.ts';
import { createUnpacker } from '../messages/unpacker.ts';
import { toCallStatus, toStatus } from '../status.ts';
import { type Arrival, boundOpenCall, countArrival } from './arrival.ts';
import { tellFaults } from './faults.ts';
import { sessionOf } from './inner-call.ts';
import { sentValues } from './sent-headers.ts';
import { proveSession } from './sessions.ts';

/** The caller of a call, and how to check again: a stream may live longer than its key or token. */
export interface Admission {
  caller: Caller;
  /** The token in `authorization`, `null` without one. */
  bearer: string | null;
  /** Throws when the key or the token is no longer valid, or the key's rate is used up. */
  again(): Caller | Promise<Caller>;
  /** After the client has ended: it did so in the middle of a message. */
  isCutOff(): boolean;
}

const ADMISSION = Symbol('admission');

/** What the interceptor passes on to the handler. */
interface AdmittedMetadata extends Metadata {
  [ADMISSION]: Admission;
}

/** The admission of a call that passed the interceptor. */
export function admissionOf(metadata: Metadata): Admission {
  return (metadata as AdmittedMetadata)[ADMISSION];
}

export interface GateOptions {
  admit: Admit;
  verify: VerifyToken;
  /** Whether calls of this path need a key. Health and reflection do not. */
  isGuarded: (path: string) => boolean;
  newRequestId: () => string;
  intake: Intake;
}

export function createGate({ admit, verify, isGuarded, newRequestId, intake }: GateOptions): ServerInterceptor {
  const unpack = createUnpacker(intake);
  return (method, call) => {
    tellFaults(call, newRequestId);
    if (!isGuarded(method.path)) {
      boundOpenCall(call);
      return new ServerInterceptingCall(call);
    }
    let arrival: Arrival | null = null;
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            const refuse = (error: unknown): void => call.sendStatus(toCallStatus(toStatus(error, newRequestId())));
            try {
              const credentials = credentialsOf(call);
              const bearer = bearerOf(sentValues(call, 'authorization'));
              const again = (): Caller | Promise<Caller> => {
                const caller = admit(credentials);
                return caller instanceof Promise
                  ? caller.then((found) => allowed(found, bearer, verify))
                  : allowed(caller, bearer, verify);
              };
              const enter = (caller: Caller): void => {
                proveSession(sessionOf(call));
                arrival = countArrival(call, caller.customer_id, intake, {
                  is_stream: method.requestStream,
                  unpack,
                  newRequestId,
                });
                (metadata as AdmittedMetadata)[ADMISSION] = { caller, bearer, again, isCutOff: arrival.isCutOff };
                pass(metadata);
              };
              const caller = again();
              if (caller instanceof Promise) caller.then(enter, refuse);
              else enter(caller);
            } catch (error) {
              refuse(error);
            }
          },
          // grpc-js keeps the single message of a unary call until the client has ended; only then does a handler run.
          onReceiveMessage: (message, pass) => {
            if (method.requestStream) arrival?.delivered();
            pass(message);
          },
          onReceiveHalfClose: (pass) => {
            if (!method.requestStream) arrival?.delivered();
            pass();
          },
          onCancel: () => arrival?.end(),
        }),
    });
  };
}

/** Two keys are rejected, as in REST. */
function credentialsOf(call: ServerInterceptingCallInterface): Credentials {
  const [key, ...more] = sentValues(call, 'x-api-key');
  const headers = key !== undefined && more.length === 0 ? { 'x-api-key': key } : {};
  return { headers, socket: { remoteAddress: addressOf(call.getPeer()) } };
}

/** Every method evaluates events. */
const SCOPE = 'events:write';

/** The caller, once its scope was checked and its token, if any, found valid. */
function allowed(caller: Caller, bearer: string | null, verify: VerifyToken): Caller | Promise<Caller> {
  checkScope(caller, SCOPE);
  if (bearer === null) return caller;
  const token = verify(bearer, caller.customer_id);
  return token instanceof Promise ? token.then(() => caller) : caller;
}

/** `127.0.0.1:50123` and `::1:50123` without the port. */
function addressOf(peer: string): string {
  return peer.slice(0, peer.lastIndexOf(':'));
}
