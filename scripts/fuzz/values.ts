import fc, { type Arbitrary } from 'fast-check';
import { corpus } from './corpus.ts';
import type { ApiDocument, Schema } from './document.ts';

const longText = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length));

/** Texts that break programs, and random texts. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...corpus.texts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .tuple(
      fc.constantFrom('x', '🦊', ']', '[', '*', '\n', 'a ', '\\', '`', '\u0301', '](', '<a>'),
      fc.constantFrom(300, 1_001, 4_001, 20_001, 60_000),
    )
    .map(([unit, length]) => longText(unit, length)),
);

/** JSON values that a field does not expect. */
export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  fc.constantFrom(...corpus.values),
  fc.constantFrom<unknown>(nested(60), Array(2_000).fill(null)),
  fc.jsonValue({ maxDepth: 4 }),
);

export const hostileName: Arbitrary<string> = fc.constantFrom(...corpus.names);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

export interface Values {
  /** By field name: ids, cursors, names. */
  pools: Partial<Record<string, readonly (string | number)[]>>;
  /** True for required fields only, with the values of their pools. */
  isMinimal: boolean;
}

/** Values that fit a schema. */
export function fitting(document: ApiDocument, given: Schema, values: Values, name = ''): Arbitrary<unknown> {
  const schema = document.resolve(given);
  const pool = values.pools[name];
  const own = (other: Arbitrary<unknown>) =>
    pool && pool.length > 0
      ? fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...pool) },
          { weight: values.isMinimal ? 0 : 1, arbitrary: other },
        )
      : other;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => fitting(document, choice, values, name)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return own(
        values.isMinimal && !schema.format && !schema.pattern ? fc.lorem({ maxCount: 4 }) : textOf(schema),
      );
    case 'integer':
      return own(
        fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) }),
      );
    case 'number':
      return fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const minLength = schema.minItems ?? 0;
      return fc.array(fitting(document, schema.items ?? {}, values, name), { minLength, maxLength: 4 });
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const fields = Object.entries(properties).filter(
        ([key]) => !values.isMinimal || required.includes(key),
      );
      return fc.record(
        Object.fromEntries(fields.map(([key, field]) => [key, fitting(document, field, values, key)])),
        { requiredKeys: required },
      );
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 300 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength });
  const most = Math.min(maxLength, 300);
  return fc.oneof(
    { weight: 4, arbitrary: fc.lorem({ maxCount: 8 }).map((text) => text.slice(0, most)) },
    fc.string({ unit: 'grapheme', minLength, maxLength: most }),
    fc.constant('z'.repeat(Math.max(minLength, Math.min(maxLength, 20_000)))),
  );
}
