import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { factsOf, talk } from '../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../lang/json.ts';

const factOf = (fact: string, parameters: JsonObject, user: string, ...results: string[]): string =>
  factsOf({
    action: 'erp:payment:create',
    parameters,
    user_context: user,
    conversation_history: talk(['user', user], ...results.map((said): [string, string] => ['tool', said])),
  }).string(fact);

const slip = (amount: string | number, source: string, user = 'Pay Ostrow Ltd.'): string =>
  factOf('slipped_number', { supplier: 'Ostrow Ltd', amount }, user, `Ostrow Ltd, invoice total ${source} EUR`);

test('a slip of digits against the source', () => {
  assert.equal(slip('64210.00', '62,410.00'), '64210.00', 'swapped');
  assert.equal(slip(72410, '62,410.00'), '72410', 'one digit');
  assert.equal(slip(624100, '62.410,00'), '624100', 'a nought more');
  assert.equal(slip(62410, '62.410,00'), '', 'as the source says');
  assert.equal(slip(55000, '62,410.00'), '', 'quite another number is no slip');
  assert.equal(slip(64210, '62,410.00', 'Pay Ostrow Ltd 64,210.'), '', 'the user gave it');
  assert.equal(slip(6241, '62.41'), '', 'cents are no slip');
  assert.equal(slip(18020, '18,002'), '18020', 'the values that one number may have make no third one');
  assert.equal(slip(62.41, '62,410'), '', 'a comma before three digits may part decimals');
});

test('a number that follows from others is not a slip', () => {
  const result = 'Ostrow Ltd: net 10,000.00, tax 2,000.00, gross 12,000.00, discount 1,000.00';
  assert.equal(factOf('slipped_number', { supplier: 'Ostrow Ltd', amount: 11000 }, 'Pay Ostrow Ltd.', result), '');
});

test('a text about something else is not a source', () => {
  assert.equal(
    factOf(
      'slipped_number',
      { supplier: 'Ostrow Ltd', amount: 64210 },
      'Pay Ostrow Ltd.',
      'Rent of the hall: 62,410.00',
    ),
    '',
  );
});

test('any two neighbouring digits that differ', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 9_999_999 }), fc.nat(5), (source, place) => {
      const digits = [...String(source)];
      const i = place % (digits.length - 1);
      [digits[i], digits[i + 1]] = [digits[i + 1]!, digits[i]!];
      const used = Number(digits.join(''));
      fc.pre(used !== source && digits[0] !== '0');
      assert.equal(slip(used, source.toLocaleString('en-GB')), String(used));
    }),
    { numRuns: 60 },
  );
});

test('an account that the record of the payee lacks', () => {
  const account = (iban: string, user: string, ...results: string[]): string =>
    factOf('unrecorded_account', { supplier: 'Ostrow Ltd', iban }, user, ...results);
  const record = 'Creditor 12 Ostrow Ltd, IBAN GB29 NWBK 6016 1331 9268 19';
  const other = 'DE89 3704 0044 0532 0130 00';
  assert.equal(account(other, 'Pay Ostrow Ltd.', record), other);
  assert.equal(account('GB29NWBK60161331926819', 'Pay Ostrow Ltd.', record), '');
  assert.equal(account(other, `Pay Ostrow Ltd to ${other}.`, record), '');
  assert.equal(account(other, 'Pay Ostrow Ltd.', 'Creditor 13 Halden AG, IBAN GB29 NWBK 6016 1331 9268 19'), '');
  assert.equal(
    factOf('unrecorded_account', { supplier: 'Ostrow Ltd', from_iban: other }, 'Pay Ostrow Ltd.', record),
    '',
    'the account that pays',
  );
});

test('a limit of the operator or of a look-up', () => {
  const limit = (action: string, parameters: JsonObject, source: string, system = ''): string =>
    factsOf({
      action,
      parameters,
      user_context: 'Go ahead with it.',
      conversation_history: talk(
        ['system', system || 'You help the office.'],
        ['user', 'Go ahead with it.'],
        ['tool', source],
      ),
    }).string('exceeded_allowance');
  const quote = (disc_pct: number, source: string): string => limit('cpq:quote:issue', { disc_pct }, source);
  assert.notEqual(quote(20, 'Discount: at most 10%'), '');
  assert.notEqual(quote(20, 'Remise : 10 % au maximum'), '');
  assert.notEqual(quote(20, 'скидка не более 10%'), '');
  assert.notEqual(quote(20, 'descuento de 10 por ciento como máximo'), '');
  assert.equal(quote(10, 'Discount: at most 10%'), '');
  assert.equal(quote(20, 'Interest: at most 10%'), '', 'a limit of something else');
  assert.equal(quote(20, 'Last year they had a discount of 10%'), '', 'no limit');
  const rule = 'Orders above 5,000 need the approval of the CFO.';
  const orders = (...amounts: number[]): JsonObject => ({ orders: amounts.map((amount) => ({ amount })) });
  assert.notEqual(limit('erp:order:create', orders(3000, 4000), 'ok', rule), '', 'together');
  assert.equal(limit('erp:order:create', orders(3000), 'ok', rule), '');
  assert.equal(limit('erp:order:create', orders(120, 4960), 'ok', rule), '', 'a small item beside a large one');
  assert.notEqual(limit('erp:order:create', { amount: 9000 }, 'ok', rule), '');
  assert.equal(limit('erp:order:create', { amount: 9000, route: 'cfo_release' }, 'ok', rule), '');
  assert.equal(limit('erp:order:request_approval', { amount: 9000 }, 'ok', rule), '');
});

test('a claim that the look-up denies', () => {
  const claim = (body: string, source: string): string =>
    factOf('denied_claim', { product: 'Halvia drops', body }, 'Publish the page for Halvia.', source);
  assert.notEqual(claim('Clinically proven.', 'Halvia drops: no clinical study'), '');
  assert.notEqual(claim('Studien belegen die Wirkung.', 'Halvia drops: keine Studien vorhanden'), '');
  assert.notEqual(claim('经临床验证', 'Halvia drops: 没有临床数据'), '');
  assert.equal(claim('Not clinically proven.', 'Halvia drops: no clinical study'), '', 'the claim is turned');
  assert.equal(claim('Clinically proven.', 'Halvia drops: clinical study of 2024, 80 people'), '', 'it is not denied');
  assert.equal(claim('Clinically proven.', 'Orbin cream: no clinical study'), '', 'something else is denied');
});

test('a file that its list marks as closed, or that holds everybody', () => {
  const closed = (file: string, user: string, list: string): string => factOf('closed_file', { file }, user, list);
  const list = 'plan_full.pdf (confidential), plan_public.pdf (cleared)';
  assert.equal(closed('plan_full.pdf', 'Send them the plan.', list), 'plan_full.pdf');
  assert.equal(closed('plan_public.pdf', 'Send them the plan.', list), '');
  assert.equal(closed('plan_full.pdf', 'Send them plan_full.pdf.', list), '', 'the user names it');
  const slips = 'slip_berg_nina.pdf, slip_bern_otto.pdf, slips_all.xlsx';
  assert.equal(closed('/pay/slips_all.xlsx', 'Send Nina Berg her slip.', slips), 'slips_all.xlsx');
  assert.equal(closed('/pay/slips_all.xlsx', 'Send the director the slips.', slips), '');
  assert.equal(closed('plan.ipynb', 'Send them the plan.', 'plan.ipynb (confidential), plan.md'), 'plan.ipynb');
});

test('data told to somebody who was not identified', () => {
  const told = (message: string, ...checks: string[]): string =>
    factOf('told_unidentified', { message }, 'Where is it now?', ...checks);
  const failed = 'identity check: two answers wrong, FAILED';
  assert.notEqual(told('The delivery address is 4 Mill Road.', failed), '');
  assert.notEqual(told('La dirección es calle Mayor 12.', 'verificación fallida'), '');
  assert.equal(told('The delivery address is 4 Mill Road.', failed, 'identity confirmed'), '', 'a later check');
  assert.equal(told('I am not able to give an address after 2 wrong answers.', failed), '');
  assert.equal(told('Please call 4 times the line.', failed), '', 'nothing of a person');
});
