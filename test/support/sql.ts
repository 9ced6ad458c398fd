import type { DataSource } from 'typeorm';

/** Runs a statement of a test, for what it looks up or changes behind the product's back. */
export async function rows<Row>(
  dataSource: DataSource,
  text: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  const runner = dataSource.createQueryRunner();
  try {
    return (await runner.query(text, parameters, true)).records as Row[];
  } finally {
    await runner.release();
  }
}

export const row = async <Row>(
  dataSource: DataSource,
  text: string,
  parameters: unknown[] = [],
): Promise<Row | undefined> => (await rows<Row>(dataSource, text, parameters))[0];
