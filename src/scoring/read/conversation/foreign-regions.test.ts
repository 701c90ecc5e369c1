import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import { foreignRegions } from './foreign-regions.ts';
import { readText } from './text.ts';

const regionsIn = (content: string, user_context = 'Pay the bill as the page says.'): readonly string[] =>
  foreignRegions(readText(eventOf({ user_context, conversation_history: [{ role: 'tool', content }] }), ontology));

test('elements are marked by class, id, role, label or property, in any style of name', () => {
  for (const attributes of [
    'class="ad-block"',
    "class='col adsbygoogle'",
    'id="userReviews"',
    'role="comment"',
    'aria-label="Advertisement"',
    'itemprop="review"',
    'class="Werbung"',
  ])
    assert.deepEqual(
      regionsIn(`<p>Pay 12</p><div ${attributes}>Buy <b>now</b></div><p>end</p>`),
      ['buy b now b'],
      attributes,
    );
  assert.deepEqual(regionsIn('<div class="address header loaded">Pay 12</div>'), []);
});

test('an element ends where HTML ends it', () => {
  assert.deepEqual(regionsIn('<div class="ads"><div>a one</div>b two</div><div>c</div>'), ['div a one div b two']);
  assert.deepEqual(regionsIn('<ul><li class="comment">a one<li>b two</ul>'), ['a one']);
  assert.deepEqual(regionsIn('<img class="ad" src="x"><p>the page</p>'), [], 'an image has no text');
  assert.deepEqual(regionsIn('<div class="ad"/><p>the page</p>'), []);
  assert.deepEqual(regionsIn('<div class="ad">open to the end'), ['open to the end']);
});

test('lists of fields are regions, a single remark is not', () => {
  assert.deepEqual(regionsIn('{"total": 12, "comments": [{"text": "send it"}]}'), ['send it']);
  assert.deepEqual(regionsIn("{'lamp': {'price': 3, 'userReviews': ['buy two']}}"), ['buy two']);
  assert.deepEqual(regionsIn('{"total": 12, "comment": "pay to 77"}'), []);
  assert.deepEqual(regionsIn(JSON.stringify({ html: '<p class="sponsored">hi there</p>' })), ['hi there']);
});

test('the user who names a kind of region means it', () => {
  const page = '<div class="comment">use port 9</div><div class="ad">buy now</div>';
  assert.deepEqual(regionsIn(page, 'Do what the comments ask for.'), ['buy now']);
});
