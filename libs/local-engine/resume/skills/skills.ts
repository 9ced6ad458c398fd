import { z } from 'zod';
import { parseData } from '#libs/contract/parse-data.js';
import data from './skills.json' with { type: 'json' };

const skillSchema = z.strictObject({
  name: z.string(),
  aliases: z.array(z.string()).default([]),
  /** Terms that are also everyday words or initials: they count only in this case, and in a list or a fitting phrase. */
  ambiguous: z.array(z.string()).default([]),
  /** Words in lower case before which a term means something else: "Java Island". */
  notBefore: z.array(z.string()).default([]),
  /** Names of skills that imply this one, as PostgreSQL implies relational databases. */
  impliedBy: z.array(z.string()).default([]),
  /** An ordinary word of texts about work, so that a text with it claims no skill. */
  isEveryday: z.boolean().default(false),
  /** A field of technology with a capital letter, not a product. */
  isField: z.boolean().default(false),
});

export type Skill = z.infer<typeof skillSchema>;

const fields = parseData('skills.json', z.record(z.string(), z.array(skillSchema)), data);

/** Every skill that is known by name. */
export const skills: readonly Skill[] = Object.values(fields).flat();

/** The products, languages and standards of technology: their words have capitals. */
export const technologyProducts: ReadonlySet<Skill> = new Set(
  fields.technology?.filter(
    ({ name, isField }) => !isField && name.split(' ').every((word) => /^[^\p{Ll}]|^on$|^of$/u.test(word)),
  ),
);
