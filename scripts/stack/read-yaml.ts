import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { z } from 'zod';

/** Reads a YAML file. @throws ZodError when its content does not fit the schema */
export const readYaml = <Schema extends z.ZodType>(file: URL, schema: Schema): z.infer<Schema> =>
  schema.parse(parse(readFileSync(file, 'utf8')));
