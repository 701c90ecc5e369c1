/** /compliance/{customer_id}/controls: controls and internal policies that a customer adds, so that justifications cite them. */
import { type Controls, MOST_CONTROLS } from '../../engine/compliance/controls.ts';
import { endpoint, jsonBody } from '../../platform/http/endpoint.ts';
import type { CustomerControls } from '../../storage/ports/graph.ts';
import { controlsSchema, sentControls } from './graph-schemas.ts';

const PATH = '/compliance/{customer_id}/controls';
const view = (customer_id: string, { revision, controls }: CustomerControls) => ({ customer_id, revision, controls });

export function putControls({ controls }: { controls: Controls }) {
  return endpoint({
    method: 'POST',
    path: PATH,
    operation: 'put_controls',
    summary: 'Add controls and internal policies',
    description: `Adds them to the compliance graph, or replaces those with the same id; at most ${MOST_CONTROLS} in all. A justification cites one when a rule fires that it names, or that cites an article that it puts into practice.`,
    tag: 'compliance',
    access: 'api_key',
    scope: 'policies:write',
    body: jsonBody(sentControls),
    answers: { 200: { description: 'all controls, with these', schema: controlsSchema } },
    handle: async ({ path: { customer_id }, body }) => {
      const sent = body.controls.map((control) => ({ articles: [], rules: [], ...control }));
      return { body: view(customer_id, await controls.put(customer_id, sent)) };
    },
  });
}

export function listControls({ controls }: { controls: Controls }) {
  return endpoint({
    method: 'GET',
    path: PATH,
    operation: 'list_controls',
    summary: 'List the customer’s controls and internal policies',
    tag: 'compliance',
    access: 'api_key',
    scope: 'policies:read',
    answers: { 200: { description: 'all of them', schema: controlsSchema } },
    handle: async ({ path: { customer_id } }) => ({ body: view(customer_id, await controls.all(customer_id)) }),
  });
}

export function deleteControl({ controls }: { controls: Controls }) {
  return endpoint({
    method: 'DELETE',
    path: `${PATH}/{control_id}`,
    operation: 'delete_control',
    summary: 'Remove a control or internal policy',
    tag: 'compliance',
    access: 'api_key',
    scope: 'policies:write',
    answers: { 200: { description: 'the controls that are left', schema: controlsSchema } },
    errors: ['not_found'],
    handle: async ({ path: { customer_id, control_id } }) => ({
      body: view(customer_id, await controls.remove(customer_id, control_id)),
    }),
  });
}
