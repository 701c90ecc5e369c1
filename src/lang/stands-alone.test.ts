import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standsAlone } from './stands-alone.ts';

test('a name stands alone between signs and at the ends of the text', () => {
  for (const text of ['orders', 'drop orders.', '(orders)', 'a:orders:b', 'orders_tmp and orders'])
    assert.ok(standsAlone('orders', text), text);
});

test('a part of a longer name does not stand alone', () => {
  for (const text of ['', 'orders_tmp', 'orders-eu', 'preorders', 'bestellüngorders', 'Orders'])
    assert.ok(!standsAlone('orders', text), text);
  assert.ok(!standsAlone('', 'orders'));
});

test('a caller says what continues a name', () => {
  const behind = /^\w|^\.\w/;
  assert.ok(!standsAlone('orders', 'orders.dlq', { behind }));
  assert.ok(standsAlone('orders', 'Empty public.orders.', { behind }));
  assert.ok(!standsAlone('orders', 'public.orders', { before: /\./ }));
});
