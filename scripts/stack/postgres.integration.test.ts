import { expect, it } from '@jest/globals';
import { query } from './query.ts';

it('logs errors without the values of rows', async () => {
  const { rows } = await query(process.env.TEST_POSTGRES_URL!, 'SHOW log_error_verbosity');
  expect(rows).toEqual([{ log_error_verbosity: 'terse' }]);
});
