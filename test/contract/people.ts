import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Decider } from '../../src/records/hold.ts';
import { auditOf } from './auth-start.ts';
import { type Bench, newCustomer, range } from './start.ts';

const hashOf = (): string => randomBytes(32).toString('hex');

/** Named people: their sessions, links, accounts, approvals, and rights that they lend. */
export function peopleTests(bench: Bench): void {
  const audit = (customer_id: string) => ({ ...auditOf('people.changed'), customer_id });

  async function makePerson(customer_id = newCustomer(), role = 'approver') {
    const person_id = randomUUID();
    const person = { person_id, customer_id, email: `${person_id}@north.test`, name: 'Ana "ä" \\', role };
    assert.equal(await bench.nodes[0].people.add(person, audit(customer_id)), true);
    return person;
  }

  describe('people', () => {
    test('a person is known to every node by id, customer and email, until it is removed', async () => {
      const [one, two] = bench.nodes;
      const person = await makePerson();
      const { customer_id, person_id, email } = person;
      const { created_at, ...found } = (await two.people.find(person_id))!;
      assert.deepEqual(found, person);
      assert.ok(Date.parse(created_at) > 0);
      assert.deepEqual(await two.people.list(customer_id), [{ ...person, created_at }]);
      assert.deepEqual(await two.people.list(newCustomer()), []);
      assert.equal((await two.people.findByEmail(email, null)).length, 1);
      assert.equal((await two.people.findByEmail(email, newCustomer())).length, 0);
      const again = { ...person, person_id: randomUUID() };
      assert.equal(await two.people.add(again, audit(customer_id)), false, 'one person for each email');
      assert.equal(await one.people.remove(person_id, audit(customer_id)), true);
      assert.equal(await two.people.remove(person_id, audit(customer_id)), false);
      assert.equal(await two.people.find(person_id), null);
      assert.equal(await two.people.add(again, audit(customer_id)), true, 'the email is free again');
    });

    test('a session ends by itself, by its end and by a change of the role', async () => {
      const [one, two] = bench.nodes;
      const { customer_id, person_id } = await makePerson();
      const start = async (ttl_minutes = 10): Promise<string> => {
        const session_hash = hashOf();
        const session = { session_hash, person_id, signed_in: 'link', address: '192.0.2.7', ttl_minutes };
        await one.people.startSession(session, audit(customer_id));
        return session_hash;
      };
      const [first, second, over] = [await start(), await start(), await start(0)];
      assert.equal((await two.people.findSession(first!))?.person.person_id, person_id);
      assert.equal(await two.people.findSession(over!), null);
      await two.people.endSession(first!);
      assert.equal(await one.people.findSession(first!), null);
      assert.equal(await two.people.setRole(person_id, 'viewer', audit(customer_id)), true);
      assert.equal(await one.people.findSession(second!), null);
      assert.equal((await one.people.find(person_id))?.role, 'viewer');
      assert.equal(await one.people.setRole(randomUUID(), 'viewer', audit(customer_id)), false);
    });

    test('of many uses of a link one succeeds; a later link ends the earlier ones', async () => {
      const [one] = bench.nodes;
      const { person_id } = await makePerson();
      const [early, late, over] = [hashOf(), hashOf(), hashOf()];
      await one.people.addLink(person_id, early, 10);
      await one.people.addLink(person_id, late, 10);
      assert.equal(await one.people.useLink(early), null);
      const used = await Promise.all(range(10).map((n) => bench.nodes[n % 2]!.people.useLink(late)));
      assert.deepEqual(
        used.filter((person) => person !== null).map((person) => person.person_id),
        [person_id],
      );
      await one.people.addLink(person_id, over, 0);
      assert.equal(await one.people.useLink(over), null);
    });

    test('sessions and links are removed a day after their time, so many at once, and no others', async () => {
      const [one, two] = bench.nodes;
      const { customer_id, person_id } = await makePerson();
      while ((await one.people.dropOver(1_000)) > 0);
      const start = async (ttl_minutes: number): Promise<string> => {
        const session_hash = hashOf();
        const session = { session_hash, person_id, signed_in: 'link', address: '192.0.2.7', ttl_minutes };
        await one.people.startSession(session, audit(customer_id));
        return session_hash;
      };
      const day = 24 * 60;
      const [valid] = [await start(10), await start(-1), await start(1 - day)];
      for (const _ of range(5)) await start(-day);
      const link = hashOf();
      await one.people.addLink(person_id, hashOf(), -day);
      await one.people.addLink(person_id, link, 10);
      const dropped = await Promise.all([one.people.dropOver(3), two.people.dropOver(1)]);
      assert.ok(dropped[0]! <= 4 && dropped[1]! <= 2, String(dropped));
      let all = dropped[0]! + dropped[1]!;
      for (let more = 1; more > 0; all += more) more = await two.people.dropOver(2);
      assert.equal(all, 6);
      assert.equal((await two.people.findSession(valid!))?.person.person_id, person_id);
      assert.equal((await two.people.useLink(link))?.person_id, person_id);
    });

    test('a password and an account at a provider belong to one person', async () => {
      const [one, two] = bench.nodes;
      const { person_id, email, customer_id } = await makePerson();
      await one.people.setPassword(person_id, 'scrypt$x');
      assert.equal(await one.people.bind(person_id, 'https://id.test', 'ana'), true);
      assert.equal(await two.people.bind(person_id, 'https://id.test', 'ana'), true);
      assert.equal(await two.people.bind(person_id, 'https://id.test', 'eve'), false);
      const [found] = await two.people.findByEmail(email, customer_id);
      assert.deepEqual([found?.password_hash, found?.issuer, found?.subject], ['scrypt$x', 'https://id.test', 'ana']);
    });

    test('a right that is lent ends with its time, by its end, and with either person', async () => {
      const [one, two] = bench.nodes;
      const { customer_id, person_id: from } = await makePerson();
      const { person_id: to } = await makePerson(customer_id, 'viewer');
      const lend = async (ttl_minutes = 10): Promise<string> => {
        const delegation_id = randomUUID();
        await one.people.delegate({ delegation_id, customer_id, from, to, ttl_minutes }, audit(customer_id));
        return delegation_id;
      };
      const ids = async () => (await two.people.delegations(customer_id)).map(({ delegation_id }) => delegation_id);
      const [first, second] = [await lend(), await lend(), await lend(0)];
      assert.deepEqual(await ids(), [first, second]);
      assert.equal(await two.people.endDelegation(newCustomer(), first!, audit(customer_id)), false);
      assert.equal(await two.people.endDelegation(customer_id, first!, audit(customer_id)), true);
      assert.equal(await one.people.endDelegation(customer_id, first!, audit(customer_id)), false);
      assert.deepEqual(await ids(), [second]);
      await one.people.remove(to, audit(customer_id));
      assert.deepEqual(await ids(), []);
    });

    test('an authority approves an event once, anyone who asks at the same time', async () => {
      const { customer_id, person_id } = await makePerson();
      const other = await makePerson(customer_id);
      const event_id = randomUUID();
      const by = (id: string): Decider => ({
        kind: 'person',
        id,
        name: 'Ana',
        email: 'ana@north.test',
        signed_in: 'link',
        address: '192.0.2.7',
      });
      const approve = (id: string, node = 0) =>
        bench.nodes[node]!.people.approve(
          { customer_id, event_id, person_id: id, authority: id, decided_by: by(id) },
          audit(customer_id),
        );
      const same = await Promise.all(range(6).map((n) => approve(person_id, n % 2)));
      assert.equal(same.filter(({ is_new }) => is_new).length, 1);
      const { all, is_new } = await approve(other.person_id, 1);
      assert.equal(is_new, true);
      assert.deepEqual(
        all.map((decider) => ('id' in decider ? decider.id : '')),
        [person_id, other.person_id],
      );
    });
  });
}
