/**
 * What a person does about held actions, on the command line: `npx node examples/decide.ts EVENT_ID approve|reject [REASON]`.
 * WEIR_AUTH_URL (default http://127.0.0.1:8001) and WEIR_CUSTOMER_ID say where and whose. WEIR_OWNER_KEY is an API key with the scope
 * holds:decide, such as the owner key of the first start; the key of a gate decides nothing. Your own approval page makes the same two calls.
 */
const [event_id, decision, reason] = process.argv.slice(2);
const auth_url = (process.env['WEIR_AUTH_URL'] ?? 'http://127.0.0.1:8001').replace(/\/$/, '');
const customer_id = process.env['WEIR_CUSTOMER_ID'];
const owner_key = process.env['WEIR_OWNER_KEY'] ?? '';

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(auth_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': owner_key },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(String(answer['detail']));
  return answer;
}

try {
  if (!event_id || !decision) throw new Error('usage: npx node examples/decide.ts EVENT_ID approve|reject [REASON]');
  if (!owner_key) throw new Error('WEIR_OWNER_KEY is not set: the first start of Weir makes it');
  if (!customer_id) throw new Error('WEIR_CUSTOMER_ID is not set: it is printed at the first start of Weir');
  // A right to this one decision about this one event.
  const { token } = await post('/tokens/override', { customer_id, event_id, allowed_decisions: [decision] });
  const decided = await post(`/overrides/${encodeURIComponent(event_id)}/decide`, {
    override_token: token,
    decision,
    ...(reason !== undefined && { reason }),
  });
  console.log(`${decided['event_id']} is ${decided['status']}, at ${decided['decided_at']}`);
} catch (error) {
  console.error(`decide: ${(error as Error).message}`);
  process.exitCode = 1;
}
