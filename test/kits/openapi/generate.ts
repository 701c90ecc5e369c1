/** Values that a JSON Schema of our documents allows, as arbitraries of fast-check. */
import fc from 'fast-check';
import type { Schema } from './document.ts';

type Build = fc.Arbitrary<unknown>;

/** Texts where a schema has no pattern: ASCII, other scripts, signs of other languages, none that a store refuses. */
const SIGNS = [...'abzAZ09 _-.:/*\'"\\<>&;{}[]%äß漢😀\n\t'];
const LONGEST = 24;
/** The pattern of a text that is not empty: it says nothing of its form. */
const ANY = '\\S';
const MOST_ITEMS = 4;

/** Examples stand for what a schema cannot say, such as a condition that compiles. */
export function valuesOf(schema: Schema): Build {
  const examples = schema['examples'] as unknown[] | undefined;
  const { pattern = ANY } = schema as { pattern?: string };
  const is_plain = pattern !== ANY || schema['enum'] !== undefined || schema['properties'] !== undefined;
  if (examples !== undefined && !is_plain) return fc.constantFrom(...examples);
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  if (schema['enum'] !== undefined) return fc.constantFrom(...(schema['enum'] as unknown[]));
  for (const name of ['anyOf', 'oneOf'] as const)
    if (schema[name] !== undefined) return fc.oneof(...(schema[name] as Schema[]).map(valuesOf));
  if (schema['allOf'] !== undefined)
    return fc
      .tuple(...(schema['allOf'] as Schema[]).map(valuesOf))
      .map((parts) => Object.assign({}, ...parts.toReversed()));
  switch (schema['type']) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer({
        min: (schema['minimum'] as number) ?? -1_000,
        max: Math.min((schema['maximum'] as number) ?? 1_000, 1_000),
      });
    case 'number':
      return fc.double({
        min: (schema['minimum'] as number) ?? -1e6,
        max: (schema['maximum'] as number) ?? 1e6,
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf((schema['items'] as Schema) ?? {}), {
        minLength: (schema['minItems'] as number) ?? 0,
        maxLength: Math.max(
          (schema['minItems'] as number) ?? 0,
          Math.min((schema['maxItems'] as number) ?? MOST_ITEMS, MOST_ITEMS),
        ),
      });
    case 'object':
      return objects(schema);
    default:
      return plainJson;
  }
}

const sign = fc.constantFrom(...SIGNS);
const plainJson: Build = fc.oneof(
  { depthSize: 'small' },
  fc.string({ unit: sign, maxLength: LONGEST }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string({ unit: sign, maxLength: 8 }), { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.integer(), { maxKeys: 3 }),
);

function texts(schema: Schema): Build {
  if (schema['format'] === 'uuid') return fc.uuid();
  if (schema['format'] === 'date-time')
    return fc
      .date({ min: new Date('2000-01-01Z'), max: new Date('2100-01-01Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
  const [min, max] = [
    (schema['minLength'] as number) ?? 0,
    Math.min((schema['maxLength'] as number) ?? LONGEST, LONGEST),
  ];
  const { pattern } = schema as { pattern?: string };
  const free = fc.string({ unit: sign, minLength: min, maxLength: Math.max(min, max) });
  if (pattern === undefined) return free;
  const expression = new RegExp(pattern, 'u');
  // Most patterns forbid a few signs; those that demand a form are generated from it.
  if (/^\^?\[\^|^\^\(\?!|^\\S$/.test(pattern)) return free.filter((text) => expression.test(text));
  return fc
    .stringMatching(expression)
    .filter((text) => text.length <= ((schema['maxLength'] as number) ?? Number.POSITIVE_INFINITY));
}

function objects(schema: Schema): Build {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const named = fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesOf(one)])), {
    requiredKeys: (schema['required'] as string[]) ?? [],
  });
  const open = Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>)[0];
  if (open === undefined) return named;
  const more = fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,11}$/), valuesOf(open), { maxKeys: 3 });
  return fc.tuple(named, more).map(([known, other]) => ({ ...other, ...known }));
}

/** A value that is nearly right: something of it is removed, replaced or added. */
export function nearly(value: Build): Build {
  const junk = fc.constantFrom<unknown>(null, -1, 1.5, '', 'x'.repeat(3_000), [], {}, true, 1e300);
  return fc
    .tuple(value, junk, fc.nat(), fc.constantFrom('drop', 'replace', 'add', 'whole'))
    .map(([whole, wrong, n, how]) => {
      if (how === 'whole' || typeof whole !== 'object' || whole === null || Array.isArray(whole)) return wrong;
      const copy = { ...whole } as Record<string, unknown>;
      const names = Object.keys(copy);
      const name = names[n % Math.max(1, names.length)] ?? 'extra';
      if (how === 'drop') delete copy[name];
      else if (how === 'replace') copy[name] = wrong;
      else copy[`extra_${n % 7}`] = wrong;
      return copy;
    });
}
