/** Calls of cloud platforms in code: methods of a client whose service the code names, and commands that it builds. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf } from '../../ontology/words.ts';
import { type CloudCall, readCloudCall } from './cloud-call.ts';

const packages = perOntology((ontology) => listOf(ontology, 'cloud_packages'));

/** `client('iam')`, `resource("s3")`, `new AWS.IAM()`, `new IAMClient()`, `build('iam', 'v1')` */
const CLIENTS =
  /\b(?:client|resource|build)\(\s{0,4}['"]([\w-]{2,40})['"]|\bnew\s{1,4}(?:AWS\.)?([A-Z]\w{1,40}?)(?:Client)?\(/g;
/** `.create_access_key(`, `.serviceAccounts().keys().create(`, `new CreateAccessKeyCommand(`. */
const METHODS = /(?:((?:\.\w{2,40}\(\)){0,5}\.[a-z]\w{3,60})|\bnew\s{1,4}([A-Z]\w{3,60})Command)\(/g;
/** Characters behind the opening parenthesis that are read as parameters. */
const MAX_ARGUMENTS = 1_000;
const MAX_CALLS = 32;

/** The calls that matter, in the order of the code. Code without a package of a platform has none. */
export function cloudCallsIn(code: string, ontology: Ontology): CloudCall[] {
  if (!packages(ontology).some((name) => code.includes(name))) return [];
  const services = new Set<string>();
  for (const match of code.matchAll(CLIENTS)) services.add((match[1] ?? match[2])!);
  if (services.size === 0) services.add('');
  const calls: CloudCall[] = [];
  for (const match of code.matchAll(METHODS)) {
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
