/** `weir people add|list|role|link|remove`: named people of a customer, with or without a running server. */

import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../../lang/english.ts';
import { createPeople, type People, signInUrl } from '../../people/people.ts';
import { isRole, type Role, roles } from '../../people/roles.ts';
import { createOwnAddress } from '../../platform/http/own-address.ts';
import { readSettings } from '../../platform/settings.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';
import { uuid } from '../arguments.ts';
import { openData } from '../open-data.ts';
import { commandLine } from '../with-auth.ts';

const EXAMPLES = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.
Roles: viewer reads; approver also decides about held events; policy_editor also replaces the policy; admin does everything of
the customer. The address of the auth service in a link is AUTH_PUBLIC_URL, or HOST and AUTH_PORT.

Examples:
  weir people add --customer ID --email ada@example.com --name Ada --role approver
  weir people list --customer ID
  weir people role --customer ID ada@example.com admin
  weir people link --customer ID ada@example.com
  weir people remove --customer ID ada@example.com
`;

interface Common {
  customer: string;
  json?: true;
}

interface AddOptions extends Common {
  email: string;
  name?: string;
  role: Role;
}

export function addPeople(program: Command, output: Output): void {
  const people = program.command('people').description('add, list and remove people').addHelpText('after', EXAMPLES);
  const command = (name: string, description: string): Command =>
    people
      .command(name)
      .description(description)
      .requiredOption('--customer <id>', 'the customer, a UUID', uuid)
      .option('--json', 'print JSON, for programs');
  command('add', 'add a person; the link that signs in is shown this once')
    .requiredOption('--email <email>', 'how decisions name the person, and what an OpenID provider vouches for')
    .option('--name <name>', 'for other people; default: the email')
    .requiredOption('--role <role>', roles.join(', '), role)
    .action((options: AddOptions) => add(options, output));
  command('list', 'list the people of a customer').action((options: Common) => list(options, output));
  command('role', 'give a person another role; ends the person’s sessions')
    .argument('<person>', 'email or person_id')
    .argument('<role>', roles.join(', '), role)
    .action((person: string, to: Role, options: Common) => setRole(person, to, options, output));
  command('link', 'make a new link that signs in once; earlier ones end')
    .argument('<person>', 'email or person_id')
    .action((person: string, options: Common) => link(person, options, output));
  command('remove', 'remove a person; ends the person’s sessions')
    .argument('<person>', 'email or person_id')
    .action((person: string, options: Common) => remove(person, options, output));
}

function role(text: string): Role {
  if (!isRole(text)) throw new InvalidArgumentError(`it must be one of ${roles.join(', ')}.`);
  return text;
}

/** Opens the storage of the settings for one piece of work and closes it in any case. */
async function withPeople<T>(work: (people: People, public_url: string) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  const storage = await openData(settings);
  try {
    const people = createPeople({ store: storage.people, audit: storage.auth.audit });
    return await work(people, createOwnAddress(settings).url());
  } finally {
    await storage.close();
  }
}

async function add({ customer: customer_id, email, name, role, json }: AddOptions, output: Output): Promise<void> {
  const { link, ...added } = await withPeople(async (people, public_url) => {
    const person = { customer_id, email, role, ...(name !== undefined && { name }) };
    const made = await people.add(person, commandLine());
    return { ...made, sign_in_url: signInUrl(public_url, made.link) };
  });
  if (json) return output.line(JSON.stringify(added));
  await output.line(`Added ${added.name}, ${added.role} of customer ${customer_id}.\n\n${shown(added)}`);
}

/** The link, which nothing keeps. */
function shown({ sign_in_url, minutes }: { sign_in_url: string; minutes: number }): string {
  return `  sign in once, within ${counted(minutes / 60, 'hour')}: ${sign_in_url}`;
}

async function list({ customer, json }: Common, output: Output): Promise<void> {
  const found = await withPeople((people) => people.list(customer));
  if (json) return output.line(JSON.stringify(found));
  if (found.length === 0) return output.line(`Customer ${customer} has no people.`);
  const rows = found.map((one) => [one.email, one.name, one.role, one.created_at, one.person_id]);
  await output.line(textTable(['email', 'name', 'role', 'added', 'person_id'], rows));
}

async function setRole(named: string, to: Role, { customer, json }: Common, output: Output): Promise<void> {
  const person = await withPeople(async (people) => {
    const found = await people.named(customer, named);
    await people.setRole(found, to, commandLine());
    return { ...found, role: to };
  });
  await output.line(json ? JSON.stringify(person) : `${person.email} is ${to} now, and has to sign in again.`);
}

async function link(named: string, { customer, json }: Common, output: Output): Promise<void> {
  const made = await withPeople(async (people, public_url) => {
    const person = await people.named(customer, named);
    const { link, minutes } = await people.link(person, commandLine());
    return { person_id: person.person_id, sign_in_url: signInUrl(public_url, link), minutes };
  });
  await output.line(json ? JSON.stringify(made) : shown(made));
}

async function remove(named: string, { customer, json }: Common, output: Output): Promise<void> {
  const { person_id, email } = await withPeople(async (people) => {
    const found = await people.named(customer, named);
    await people.remove(found, commandLine());
    return found;
  });
  await output.line(json ? JSON.stringify({ person_id, status: 'removed' }) : `Removed ${email}.`);
}
