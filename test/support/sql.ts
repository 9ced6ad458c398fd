import type { DataSource } from 'typeorm';

/** Runs a statement with which a test reads or changes what the product stored. */
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
