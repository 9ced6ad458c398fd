import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

type Columns = Record<string, EntitySchemaColumnOptions>;

type Value<C> = C extends { type: 'timestamptz' }
  ? Date
  : C extends { type: 'boolean' }
    ? boolean
    : C extends { type: 'integer' }
      ? number
      : C extends { type: 'jsonb' }
        ? unknown
        : string;

type Row<C> = { [K in keyof C]: C[K] extends { nullable: true } ? Value<C[K]> | null : Value<C[K]> };

/**
 * Defines a table whose columns are named exactly like the properties, in camel case, as better-auth requires.
 * @param indexed columns with an index
 * @param uniqueTogether columns of a unique index
 */
export function table<const C extends Columns>(
  name: string,
  columns: C,
  indexed: (keyof C & string)[] = [],
  uniqueTogether: (keyof C & string)[] = [],
) {
  return new EntitySchema<Row<C>>({
    name,
    columns: Object.fromEntries(
      Object.entries<EntitySchemaColumnOptions>(columns).map(([key, column]) => [
        key,
        { name: key, ...column },
      ]),
    ) as { [K in keyof C]: EntitySchemaColumnOptions },
    indices: [
      ...indexed.map((column) => ({ name: `${name}_${column}_idx`, columns: [column] })),
      ...(uniqueTogether.length > 0
        ? [{ name: `${name}_unique`, columns: uniqueTogether, unique: true }]
        : []),
    ],
  });
}

export const text = { type: 'text' } as const;
export const time = { type: 'timestamptz' } as const;
export const boolean = { type: 'boolean' } as const;
export const integer = { type: 'integer' } as const;
export const json = { type: 'jsonb' } as const;
export const optional = <C extends EntitySchemaColumnOptions>(column: C) =>
  ({ ...column, nullable: true }) as const;
export const unique = <C extends EntitySchemaColumnOptions>(column: C) =>
  ({ ...column, unique: true }) as const;

export const id = { ...text, primary: true } as const;
export const now = { ...time, default: () => 'now()' } as const;
export const userId = { ...text, foreignKey: { target: 'auth_users', onDelete: 'CASCADE' } } as const;
