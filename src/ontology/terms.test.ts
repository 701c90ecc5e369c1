/** What the words of actions and data must not be. */
import { at, type Fields, push, set, testBroken } from '../../test/support/smallest-ontology.ts';

testBroken([
  ['missing file', (d) => delete d['playbooks.yaml'], /^playbooks\.yaml: is missing/],
  ['stray file', (d) => (d['actions/extra.yaml'] = {}), /^actions\/extra\.yaml: is no file of the ontology/],
  ['folder without files', (d) => delete d['actions/tools/pg.yaml'], /^actions\/tools: has no files/],
  [
    'file that is a list',
    (d) => (d['playbooks.yaml'] = [] as unknown as Fields),
    /^playbooks\.yaml: is `\[\]`; write a mapping/,
  ],
  [
    'misspelt field',
    set('actions/verbs.yaml', 'verbs 0', 'reverzibility', 1),
    /`read`: has the unknown field `reverzibility`/,
  ],
  ['missing text', set('actions/verbs.yaml', 'verbs 0', 'reason', ''), /`read`: `reason` is `""`; write a text/],
  [
    'verb twice',
    (d) => push(at(d, 'actions/verbs.yaml')['verbs'], at(d, 'actions/verbs.yaml', 'verbs 0')),
    /`read` is there twice/,
  ],
  [
    'unknown verb group',
    set('actions/verbs.yaml', 'verbs 0', 'group', 'burn'),
    /the group `burn` is not one of `groups`/,
  ],
  [
    'group without verbs',
    (d) => push(at(d, 'actions/verbs.yaml')['groups'], { group: 'burn', description: 'x' }),
    /the group `burn` has no verb/,
  ],
  [
    'unknown class of a domain',
    set('actions/domains.yaml', 'domains 0', 'implied_class', 'XYZ'),
    /`db`: `implied_class` is the unknown class `XYZ`/,
  ],
  [
    'unknown class of a scope',
    set('actions/domains.yaml', 'domains 0 scopes table', 'implied_class', 'XYZ'),
    /`table`: `implied_class` is the unknown class/,
  ],
  [
    'unknown companion',
    set('actions/domains.yaml', 'domains 0', 'usual_companions', ['moon']),
    /unknown domain `moon`/,
  ],
  [
    'alias that is a domain',
    set('actions/domains.yaml', 'domains 0', 'aliases', ['db']),
    /the alias `db` already means the domain `db`/,
  ],
  [
    'sensitivity out of range',
    set('actions/resources.yaml', 'resource_types', 'table', 5),
    /resource_types\.table` is `5`; write a whole number from 0 to 4/,
  ],
  [
    'unknown domain of an agent type',
    set('actions/agent-types.yaml', 'agent_types', 'analyst', ['sql']),
    /`analyst`: has the unknown domain `sql`/,
  ],
  [
    'tool action of two segments',
    set('actions/tools/pg.yaml', 'tools', 'Query', 'db:read'),
    /`Query`: the action `db:read` is not of the form/,
  ],
  [
    'tool with an unknown domain',
    set('actions/tools/pg.yaml', 'tools', 'Query', 'sql:table:read'),
    /has the unknown domain `sql`/,
  ],
  [
    'tool with an unknown scope',
    set('actions/tools/pg.yaml', 'tools', 'Query', 'db:moon:read'),
    /the domain `db` has no scope `moon`/,
  ],
  [
    'tool with an unknown verb',
    set('actions/tools/pg.yaml', 'tools', 'Query', 'db:table:burn'),
    /has the unknown verb `burn`/,
  ],
  [
    'tools in the wrong file',
    set('actions/tools/pg.yaml', '', 'server', 'mysql'),
    /`server` is `mysql`; name the file after it/,
  ],
  [
    'confirmed tools without a source',
    (d) => delete at(d, 'actions/tools/pg.yaml')['source'],
    /pg\.yaml: `source` is nothing; write a text/,
  ],
  [
    'label twice',
    (d) => push(at(d, 'data/classes.yaml')['classes'], { class: 'PHI', severity: 4, meaning: 'x', labels: ['pii'] }),
    /`pii` is there twice/,
  ],
  ['label with capitals', set('data/classes.yaml', 'classes 0', 'labels', ['PII']), /the label `PII` has capitals/],
  [
    'field kind with an unknown class',
    set('data/fields.yaml', 'kinds 0', 'class', 'XYZ'),
    /`contact`: `class` is the unknown class `XYZ`/,
  ],
  [
    'field name not normalised',
    set('data/fields.yaml', 'kinds 0', 'names', ['eMail']),
    /the name `eMail` is not normalised/,
  ],
  [
    'field name in two kinds',
    (d) => push(at(d, 'data/fields.yaml')['kinds'], { kind: 'other', class: 'PII', severity: 1, names: ['email'] }),
    /`other`: `email` is there twice/,
  ],
  [
    'name twice in a list',
    set('data/fields.yaml', 'kinds 0', 'names', ['email', 'email']),
    /`names` has `email` twice/,
  ],
  [
    'word that YAML reads as a number',
    set('data/fields.yaml', 'kinds 0', 'names', [1099]),
    /`names` is `\[1099\]`; write a list of texts/,
  ],
  [
    'detector of an unknown kind',
    set('data/detectors.yaml', 'detectors 0', 'subclass', 'moon'),
    /`card`: `subclass` is the unknown kind `moon`/,
  ],
  [
    'unknown validator',
    set('data/detectors.yaml', 'detectors 0', 'validator', 'mod5'),
    /the validator `mod5` does not exist/,
  ],
  [
    'pattern that does not compile',
    set('data/detectors.yaml', 'detectors 0', 'pattern', '(a'),
    /`card`: the pattern does not compile/,
  ],
  [
    'pattern that may be slow',
    set('data/detectors.yaml', 'detectors 0', 'pattern', '(?:a|a)*b'),
    /`card`: the pattern repeats without an upper bound/,
  ],
  ['flag g in a file', set('data/detectors.yaml', 'detectors 0', 'flags', 'g'), /leave g and y out/],
  [
    'detector near a literal with capitals',
    set('data/detectors.yaml', 'detectors 0', 'search', { near: ['IBAN'] }),
    /literal `IBAN` must be printable ASCII in lower case/,
  ],
  [
    'detector beside an unknown one',
    set('data/detectors.yaml', 'detectors 0', 'search', { only_with: 'moon' }),
    /`only_with` is the unknown detector `moon`/,
  ],
  [
    'detector with an unknown part as its value',
    set('data/detectors.yaml', 'detectors 0', 'value', 'moon'),
    /`value` is `moon`; write one of whole/,
  ],
  [
    'detector that misses its example',
    set('data/detectors.yaml', 'detectors 0 examples', 'matches', ['4111']),
    /`card`: misses its example `4111`/,
  ],
  [
    'detector that finds too much',
    set('data/detectors.yaml', 'detectors 0 examples', 'misses', ['4242424242424242']),
    /`card`: finds `4242424242424242`, which it should miss/,
  ],
]);
