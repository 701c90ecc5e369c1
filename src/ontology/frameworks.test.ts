/** What articles, playbooks, phrasing and profiles must not be. */
import { article, at, push, set, testBroken } from '../../test/support/smallest-ontology.ts';

testBroken([
  [
    'article of another framework',
    set('frameworks/law.yaml', 'articles 0', 'id', 'GDPR:1'),
    /the id `GDPR:1` does not begin with `LAW:`/,
  ],
  [
    'article id with a blank',
    set('frameworks/law.yaml', 'articles 0', 'id', 'LAW:Article 1'),
    /the id `LAW:Article 1` is not of the form/,
  ],
  ['article twice', (d) => push(at(d, 'frameworks/law.yaml')['articles'], { ...article }), /`LAW:1` is there twice/],
  [
    'unknown tier',
    set('frameworks/law.yaml', 'articles 0', 'consequence_tier', 'JAIL'),
    /`LAW:1`: `consequence_tier` is the unknown tier `JAIL`/,
  ],
  [
    'basis that no file has',
    set('frameworks/law.yaml', 'articles 0', 'consequence_basis', ['LAW:2']),
    /`consequence_basis` names the unknown article `LAW:2`/,
  ],
  [
    'parent that no file has',
    set('frameworks/law.yaml', 'articles 0', 'parent', 'LAW:2'),
    /`parent` names the unknown article `LAW:2`/,
  ],
  [
    'successor that no file has',
    set('frameworks/law.yaml', 'articles 0', 'successor', 'LAW:2'),
    /`successor` names the unknown article `LAW:2`/,
  ],
  [
    'tier resting on an unknown article',
    set('frameworks/_consequences.yaml', 'tiers 0', 'basis', ['LAW:2']),
    /`FINE`: `basis` names the unknown article `LAW:2`/,
  ],
  [
    'date in words',
    set('frameworks/law.yaml', 'articles 0', 'enforceable_from', 'August 2026'),
    /write a date such as/,
  ],
  [
    'address without https',
    set('frameworks/law.yaml', 'articles 0', 'source', 'law.example'),
    /write an https address/,
  ],
  [
    'unknown level of verification',
    set('frameworks/law.yaml', 'articles 0', 'verification_level', 'rumour'),
    /write one of text, excerpt/,
  ],
  [
    'source that is not listed',
    set('frameworks/law.yaml', 'articles 0', 'opened', ['film']),
    /`opened` has `film`, which is not in `sources`/,
  ],
  ['article without a theme', set('frameworks/law.yaml', 'articles 0', 'themes', []), /`themes` is empty/],
  [
    'framework in the wrong file',
    set('frameworks/law.yaml', '', 'framework', 'GDPR'),
    /`framework` is `GDPR`; its file is frameworks\/gdpr\.yaml/,
  ],
  [
    'playbook of no article',
    set('playbooks.yaml', 'playbooks', 'moon', ['Look up.']),
    /`moon`: is the theme of no article/,
  ],
  ['playbook without steps', set('playbooks.yaml', 'playbooks', 'care', []), /`care`: has no steps/],
  [
    'kind of framework without words',
    set('frameworks/law.yaml', '', 'kind', 'custom'),
    /has no words for the kind `custom` of `LAW`/,
  ],
  [
    'unknown placeholder',
    set('phrasing.yaml', 'kinds 0', 'in_force', '{moon}'),
    /`in_force` has the unknown placeholder \{moon\}/,
  ],
  [
    'profile that forgets a framework',
    set('profiles/default.yaml', '', 'frameworks', [{ framework: 'X', binds: 'always', why: 'x' }]),
    /does not say when `LAW` binds/,
  ],
  [
    'profile of an unknown framework',
    set('profiles/default.yaml', 'frameworks 0', 'framework', 'X'),
    /the framework `X` is unknown/,
  ],
  [
    'binding that does not exist',
    set('profiles/default.yaml', 'frameworks 0', 'binds', 'sometimes'),
    /`binds` is `sometimes`; write always, when or/,
  ],
  [
    'condition that is missing',
    set('profiles/default.yaml', 'frameworks 0', 'binds', 'when'),
    /`condition` is nothing; write a text/,
  ],
  [
    'binding to an unknown sector',
    set('profiles/default.yaml', 'frameworks 0', 'sectors', ['fishing']),
    /default\.yaml: `LAW`: the sector `fishing` is unknown/,
  ],
  [
    'binding to what is no region',
    set('profiles/default.yaml', 'frameworks 0', 'regions', ['Europe']),
    /default\.yaml: `LAW`: `Europe` is no region/,
  ],
  [
    'no default profile',
    (d) => {
      d['profiles/x.yaml'] = { ...d['profiles/default.yaml'], profile: 'x' };
      delete d['profiles/default.yaml'];
    },
    /profiles\/default\.yaml: is missing/,
  ],
]);
