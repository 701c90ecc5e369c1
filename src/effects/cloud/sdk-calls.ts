/** Calls of cloud platforms in code: methods of a client whose service the code names, and commands that it builds. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../ontology/words.ts';
import { type CloudCall, readCloudCall } from './cloud-call.ts';

const words = perOntology((ontology) => {
  const everyOf = (name: string): RegExp => new RegExp(patternOf(ontology, 'sdk_calls', name).source, 'g');
  return {
    packages: listOf(ontology, 'cloud_packages'),
    /** `client('iam')`, `resource("s3")`, `new AWS.IAM()`, `new IAMClient()`, `build('iam', 'v1')` */
    clients: everyOf('client'),
    /** `.create_access_key(`, `.serviceAccounts().keys().create(`, `new CreateAccessKeyCommand(`. */
    methods: everyOf('method'),
  };
});
/** Characters behind the opening parenthesis that are read as parameters. */
const MAX_ARGUMENTS = 1_000;
const MAX_CALLS = 32;

/** The calls that matter, in the order of the code. Code without a package of a platform has none. */
export function cloudCallsIn(code: string, ontology: Ontology): CloudCall[] {
  const { packages, clients, methods } = words(ontology);
  if (!packages.some((name) => code.includes(name))) return [];
  const services = new Set<string>();
  for (const match of code.matchAll(clients)) services.add((match[1] ?? match[2])!);
  if (services.size === 0) services.add('');
  const calls: CloudCall[] = [];
  for (const match of code.matchAll(methods)) {
    const from = match.index + match[0].length;
    const text = argumentsAt(code, from);
    const operation = (match[1] ?? match[2])!.replaceAll('()', '').replaceAll('.', '_');
    for (const service of services) {
      const call = calls.length < MAX_CALLS ? readCloudCall(operation, service, text, ontology) : null;
      if (call === null) continue;
      calls.push(call);
      break;
    }
  }
  return calls;
}

function argumentsAt(code: string, from: number): string {
  const end = code.indexOf('\n\n', from);
  return code.slice(from, Math.min(from + MAX_ARGUMENTS, end < 0 ? code.length : end));
}
