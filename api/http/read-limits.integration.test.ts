import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { routes } from '#libs/contract/routes/table.js';
import { useInProcessProduct, type SignedInUser } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { reads } from './request-bulkhead.js';

allowTimeForPrograms();

const product = useInProcessProduct();
let ada: SignedInUser;
let end: () => void;
const ended = new Promise<void>((resolve) => (end = resolve));

beforeAll(async () => {
  ada = await product.signUp('Ada');
  // Two reads at work and forty that wait, of Ada and of strangers at this address.
  for (const caller of [ada.id, '127.0.0.1'])
    for (let n = 0; n < 42; n += 1) void reads.run(caller, '127.0.0.1', () => ended);
});
afterAll(() => end());

const uuid = '00000000-0000-4000-8000-000000000000';
const query = `file_name=a.pdf&name=b.pdf&sha256=${'0'.repeat(64)}`;
const values: Record<string, string> = {
  key: 'A'.repeat(43),
  token: 'A'.repeat(43),
  tool: 'remove-image-object',
};
const pathOf = (path: string) =>
  `${path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? uuid)}?${query}`;

const gets = Object.values(routes).filter(
  ({ method, path, ...route }) => method === 'GET' && !('admin' in route) && !path.startsWith('/health/'),
);
const paths = [...gets.map(({ path }) => path), '/t/:token'].filter((path) => path !== '/api/events');

it.each(paths)('limits the reads of one caller: GET %s', async (path) => {
  const answer = await ada.call(pathOf(path));
  expect(answer.status).toBe(429);
  expect(await answer.text()).toContain('RATE_LIMITED');
});

it('limits the reads of one caller at the start of a stream', async () => {
  const answer = await ada.call('/api/events');
  expect(await answer.text()).toBe('retry: 2000\n\n');
});
