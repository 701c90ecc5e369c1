/** Controls and internal policies that customers add to the compliance graph. */
import type { JsonObject } from '../../lang/json.ts';
import { WeirError } from '../../platform/errors.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import type { ControlStore, CustomerControl, CustomerControls } from '../../storage/ports/graph.ts';
import type { Graphs } from '../../storage/ports/graphs.ts';
import type { Policies } from '../policies.ts';

export interface Controls {
  /**
   * Adds these, or replaces those with the same id. Throws `invalid` for an id that no article and no rule has, for an id that is
   * given twice, and for more than `MOST_CONTROLS` in all.
   */
  put(customer_id: string, controls: readonly CustomerControl[]): Promise<CustomerControls>;
  /** Throws `not_found`. */
  remove(customer_id: string, control_id: string): Promise<CustomerControls>;
  all(customer_id: string): Promise<CustomerControls>;
}

/** Each justification reads all of them. */
export const MOST_CONTROLS = 1_000;
/** An external graph that is slower gets its copy when a justification finds the old one. */
const MIRROR_MS = 400;

export interface ControlsParts {
  store: ControlStore;
  graphs: Graphs;
  policies: Pick<Policies, 'current'>;
  knowledge: Knowledge;
}

export function createControls({ store, graphs, policies, knowledge }: ControlsParts): Controls {
  /** Copies them into external graphs, as far as these answer. */
  async function mirror(customer_id: string, controls: CustomerControls): Promise<void> {
    const copies = graphs.all
      .filter(({ source }) => source !== 'postgres')
      .map((graph) => graph.compliance.setControls(customer_id, controls).catch(() => {}));
    if (copies.length === 0) return;
    await Promise.race([Promise.all(copies), new Promise((done) => setTimeout(done, MIRROR_MS).unref())]);
  }

  return {
    async put(customer_id, controls) {
      const stored = await policies.current(customer_id);
      check(controls, knowledge, customRulesOf(stored?.policies));
      const all = await store.put(customer_id, controls, MOST_CONTROLS);
      if (all === null) {
        const message = `the customer would have more than ${MOST_CONTROLS} controls and internal policies; remove some first`;
        throw new WeirError('invalid', { detail: message, errors: [{ path: '/controls', message }] });
      }
      await mirror(customer_id, all);
      return all;
    },
    async remove(customer_id, control_id) {
      const all = await store.remove(customer_id, control_id);
      if (all === null) {
        throw new WeirError('not_found', { detail: `this customer has no control \`${control_id.slice(0, 128)}\`` });
      }
      await mirror(customer_id, all);
      return all;
    },
    all: (customer_id) => store.all(customer_id),
  };
}

/** Names of the rules of the customer's own policy. */
function customRulesOf(policies: JsonObject | undefined): ReadonlySet<string> {
  return new Set(Object.keys((policies?.['custom_rules'] ?? {}) as object));
}

function check(controls: readonly CustomerControl[], knowledge: Knowledge, own_rules: ReadonlySet<string>): void {
  const errors: { path: string; message: string }[] = [];
  const seen = new Set<string>();
  for (const [index, { control_id, articles, rules }] of controls.entries()) {
    const at = `/controls/${index}`;
    if (seen.has(control_id))
      errors.push({ path: `${at}/control_id`, message: `\`${control_id}\` is given twice; send each control once` });
    seen.add(control_id);
    if (articles.length + rules.length === 0)
      errors.push({ path: at, message: 'names neither an article nor a rule, so nothing would ever cite it' });
    for (const [n, id] of articles.entries())
      if (!knowledge.ontology.articles.has(id))
        errors.push({
          path: `${at}/articles/${n}`,
          message: `\`${id}\` is no article; write an id as in \`compliance_refs\`, such as GDPR:Article_32`,
        });
    for (const [n, id] of rules.entries())
      if (!knowledge.rule_by_id.has(id) && !own_rules.has(id))
        errors.push({
          path: `${at}/rules/${n}`,
          message: `\`${id}\` is neither a rule as in \`weir rules list\` nor a custom rule of the policy in force`,
        });
  }
  if (errors.length > 0)
    throw new WeirError('invalid', { detail: `${errors[0]!.path}: ${errors[0]!.message}`, errors });
}
