/** The policy field `internal_domains`: domains of the customer's organisation. */

import type { Json } from '../../lang/json.ts';
import type { Ontology } from '../../ontology/index.ts';
import { listOf } from '../../ontology/words.ts';
import { isCollector, isFreeMail } from '../read/values/hosts.ts';
import { strings } from './fields.ts';
import type { Problem } from './problems.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_DOMAINS = 200;

function domain(text: string): string | { problem: string } {
  const lower = text.toLowerCase().replace(/\.$/, '');
  if (lower.startsWith('*.') || lower.startsWith('.')) {
    return { problem: `\`${text}\` begins with a wildcard; write only the domain, which includes everything below it` };
  }
  if (/[^\x00-\x7f]/.test(lower)) {
    return { problem: `\`${text}\` has letters outside ASCII; write its ASCII form, which begins with \`xn--\`` };
  }
  const labels = lower.split('.');
  if (labels.length < 2 || labels.length > 10 || !labels.every((label) => LABEL.test(label))) {
    return { problem: `\`${text}\` is not a domain; write one such as \`example.com\`` };
  }
  if (/^\d+$/.test(labels.at(-1)!)) return { problem: `\`${text}\` is an address; write a domain` };
  return lower;
}

const read = strings(domain, MAX_DOMAINS);

/** Lower case, without a final dot. With an ontology, domains where anyone can have an address are refused. */
export function readDomains(value: Json, path: string, problems: Problem[], ontology: Ontology | null): string[] {
  const before = problems.length;
  const domains = read(value, path, problems);
  if (ontology === null || problems.length > before) return domains;
  for (const [i, one] of domains.entries()) {
    if (isRegistry(one, ontology)) {
      problems.push({
        path: `${path}/${i}`,
        message: `\`${one}\` is a registry under which any organisation can register; write your own domain`,
      });
    } else if (isFreeMail(one, ontology) || isCollector(one, '', ontology)) {
      problems.push({
        path: `${path}/${i}`,
        message: `anyone can get an address at \`${one}\`, so it is never internal`,
      });
    }
  }
  return domains;
}

/** A second-level domain of a registry, such as `co.uk`, which no single organisation owns. */
function isRegistry(domain: string, ontology: Ontology): boolean {
  const [label = '', country = '', ...rest] = domain.split('.');
  return rest.length === 0 && country.length === 2 && listOf(ontology, 'registry_labels').includes(label);
}
