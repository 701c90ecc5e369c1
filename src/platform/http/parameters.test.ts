import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { WeirError } from '../errors.ts';
import { oneOf, readParameters, requiredText, wholeNumber } from './parameters.ts';

const parameters = { page: wholeNumber(1, 100, 1, ''), level: oneOf(['low', 'high'], ''), id: requiredText(8, '') };
const faults = (query: string): string[] => {
  try {
    readParameters(parameters, query);
  } catch (error) {
    return (error as WeirError).errors?.map(({ path }) => path) ?? ['?'];
  }
  return [];
};

describe('query parameters', () => {
  test('values and defaults', () => {
    assert.deepEqual(readParameters(parameters, 'id=a%2Fb+c'), { page: 1, level: undefined, id: 'a/b c' });
    assert.deepEqual(readParameters(parameters, 'level=high&id=x&page=100&&&=').page, 100);
    assert.equal(readParameters(parameters, 'id=x&other=1&other=2', 'ignore').id, 'x');
  });

  test('an unknown name is refused with the nearest one; what is no name at all is not', () => {
    const messageOf = (query: string): string => {
      try {
        readParameters(parameters, query);
      } catch (error) {
        return (error as WeirError).detail;
      }
      return '';
    };
    assert.match(messageOf('id=x&pagee=2'), /`pagee`: is not a parameter of this endpoint; did you mean `page`\?$/);
    assert.match(messageOf('id=x&colour=2'), /; it takes page, level, id$/);
    assert.equal(messageOf('id=x&__proto__[x]=1&page[]=2&%20=3'), '');
    assert.throws(() => readParameters({}, 'x=1'), /takes no query parameters/);
  });

  test('refused, each by name', () => {
    for (const page of ['0', '-1', '+1', '01', '1.0', '1e1', '', '101', '０', '١', 'NaN', '9'.repeat(40)]) {
      assert.deepEqual(faults(`id=x&page=${encodeURIComponent(page)}`), ['page'], page);
    }
    assert.deepEqual(faults('level=LOW&id='), ['level', 'id']);
    assert.deepEqual(faults('level=constructor&id=__proto__x&page=toString'), ['page', 'level', 'id']);
    assert.deepEqual(faults(''), ['id']);
    assert.deepEqual(faults('id=a&id=a'), ['id']);
    assert.deepEqual(faults('id=%00'), ['id']);
    assert.deepEqual(faults('id=%ff'), ['?']);
    assert.deepEqual(faults('%zz=1&id=x'), ['?']);
  });

  test('the largest documented number is accepted, and no larger one', () => {
    const most = { before: wholeNumber(1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, '') };
    assert.deepEqual(readParameters(most, 'before=9007199254740991'), { before: 9_007_199_254_740_991 });
    for (const before of ['9007199254740992', '9007199254740993', '9999999999999999', '10000000000000000']) {
      assert.throws(() => readParameters(most, `before=${before}`), { code: 'invalid' }, before);
    }
  });

  test('any query is read or refused, and an accepted id is what was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        const well_formed = text.toWellFormed();
        const expected = well_formed.length >= 1 && well_formed.length <= 8 && !well_formed.includes('\0');
        const query = `id=${encodeURIComponent(well_formed)}`;
        if (expected) assert.equal(readParameters(parameters, query).id, well_formed);
        else assert.deepEqual(faults(query), ['id']);
      }),
    );
  });
});
