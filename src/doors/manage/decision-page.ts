/**
 * Where the links of messages lead: a page without data, which asks anyone who opens it to sign in, shows the held event with that
 * credential, and decides about it after a confirmation. Opening a link decides nothing.
 */
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { optionalText } from '../../platform/http/parameters.ts';
import { scoreDetail } from '../../records/views.ts';
import type { ScoreStore } from '../../storage/ports/storage.ts';
import { scoreDetailSchema } from '../rest/score-schemas.ts';

/** As of identifiers in events. */
const MAX_ID = 256;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere;white-space:pre-wrap}input{font:inherit;width:100%;padding:.4rem;box-sizing:border-box}button{font:inherit;padding:.4rem 1rem;margin:.5rem .5rem 0 0}[role=status]{min-height:1.5rem;font-weight:600}';

/** Uses the session of the person who is signed in, or the operator's admin key that is entered; the key is kept nowhere. */
const SCRIPT = `
const query = new URLSearchParams(location.search);
const customer_id = query.get('customer_id') ?? '', event_id = query.get('event_id') ?? '', wanted = query.get('decision');
const $ = (id) => document.getElementById(id);
const say = (text) => { $('status').textContent = text; };
let csrf = '';
async function call(path, body) {
  const key = $('key').value;
  const own = key ? { authorization: 'Bearer ' + key } : { 'x-csrf-token': csrf };
  const headers = { accept: 'application/json', ...own, ...(body && { 'content-type': 'application/json' }) };
  const reply = await fetch(path, { method: body ? 'POST' : 'GET', headers, credentials: key ? 'omit' : 'same-origin', ...(body && { body: JSON.stringify(body) }) });
  const json = await reply.json();
  if (!reply.ok) throw new Error(reply.status === 401 && !key ? 'Nobody is signed in in this browser.' : json.detail);
  return json;
}
const nameOf = (one) => (one.name ?? one.email ?? one.kind.replace('_', ' ')) + (one.on_behalf_of ? ' for ' + one.on_behalf_of.email : '');
async function show() {
  say('');
  let found;
  try {
    if (!$('key').value) ({ csrf_token: csrf } = await call('session'));
    found = await call('holds/' + encodeURIComponent(customer_id) + '/' + encodeURIComponent(event_id));
  } catch (error) { $('sign-in').hidden = false; say(error.message); return; }
  const { event, hold } = found;
  const lines = [['Event', event_id], ['Action', found.action], ['Score', found.final_score + ' (' + found.risk_level + ')'], ['State', hold ? hold.state : 'not held'],
    ['Expires', hold?.state === 'held' && hold.expires_at], ['Decided by', hold?.decided_by?.map(nameOf).join(', ')], ['Decided', hold?.decided_at], ['Reason', hold?.reason],
    ['Agent', event.agent?.agent_id], ['User', event.session?.user_id], ['Target', event.target && JSON.stringify(event.target)], ['Why', found.reasoning], ['What helps', found.mitigations?.join('\\n')],
    ['The user said', event.user_context], ['Parameters', event.parameters && JSON.stringify(event.parameters, null, 2)]];
  $('facts').replaceChildren(...lines.filter(([, value]) => value).flatMap(([name, value]) => {
    const dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = name; dd.textContent = value;
    return [dt, dd];
  }));
  $('sign-in').hidden = true;
  $('decide').hidden = hold?.state !== 'held';
  if (wanted === 'approve' || wanted === 'reject') $(wanted).focus();
}
async function decide(decision) {
  try {
    const reason = $('reason').value;
    const of_operator = $('key').value && { customer_id };
    const decided = await call('overrides/' + encodeURIComponent(event_id) + '/decide', { decision, ...of_operator, ...(reason && { reason }) });
    await show();
    say(decided.status === 'held' ? 'Your approval is recorded; ' + decided.missing + ' more of other people are missing.' : 'This event is ' + decided.status + '.');
  } catch (error) { say(error.message); }
}
$('sign-in').addEventListener('submit', (event) => { event.preventDefault(); show(); });
for (const decision of ['approve', 'reject']) $(decision).addEventListener('click', () => decide(decision));
show();
`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<title>Weir: decide about a held event</title><style>${STYLE}</style></head>
<body><main><h1>Decide about a held event</h1>
<p role="status" id="status"></p>
<form id="sign-in" hidden><p><a href="sign-in" target="_blank" rel="noopener">Sign in</a>, then come back and press the button.</p>
<label for="key">Or enter the operator’s admin key:</label><input id="key" type="password" autocomplete="off"><button>Show the event</button></form>
<dl id="facts"></dl>
<div id="decide" hidden><label for="reason">Reason</label><input id="reason" maxlength="500"><button id="approve">Approve</button><button id="reject">Reject</button></div>
</main><script>${SCRIPT}</script></body></html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only its own script and style, calls to its own origin, no frames. */
const POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function decisionPage() {
  return endpoint({
    method: 'GET',
    path: '/decide',
    operation: 'show_decision_page',
    summary: 'The page where a person decides about a held event',
    description: 'Holds no data: it asks for a credential and calls `GET /holds/{customer_id}/{event_id}` with it.',
    tag: 'decisions',
    access: 'public',
    query: {
      customer_id: optional('the customer, a UUID'),
      event_id: optional('the event'),
      decision: optional('approve or reject: which button has the focus'),
    },
    answers: { 200: { description: 'the page', schema: Type.String(), content_type: 'text/html' } },
    handle: () => ({
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
      body: PAGE,
    }),
  });
}

const optional = (description: string) => optionalText(MAX_ID, description);

export function showHold({ storage }: { storage: { scores: Pick<ScoreStore, 'find'> } }) {
  return endpoint({
    method: 'GET',
    path: '/holds/{customer_id}/{event_id}',
    operation: 'show_hold',
    summary: 'A held event in full, for the person who decides',
    tag: 'decisions',
    access: 'management',
    scope: 'scores:read',
    answers: {
      200: { description: 'as `GET /scores/event/{event_id}` of the scoring API', schema: scoreDetailSchema },
    },
    errors: ['not_found'],
    handle: async ({ path }) => {
      const record = await storage.scores.find(path.customer_id, path.event_id);
      if (record === null)
        throw new WeirError('not_found', { detail: 'this customer has no scored event with this event_id' });
      return { body: scoreDetail(record) };
    },
  });
}
