import type { z } from 'zod';

/** Validates the content of a data file. @throws Error that names the file and each invalid entry */
export function parseData<T extends z.ZodType>(file: string, schema: T, data: unknown): z.infer<T> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new Error(`${file} is invalid:\n${problems.join('\n')}`);
}
