import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.ts';
import { runCommand } from '../../test/support/run-cli.ts';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.close());

const service = () => ({ OPENAI_API_KEY: 'any', OPENAI_BASE_URL: fake.url });

it('calls the service once for each ability, without a database, and says what the tools use', async () => {
  const { status, out, errors } = await runCommand(['doctor'], service());
  expect([status, errors]).toEqual([0, '']);
  for (const ability of ['text', 'stream', 'JSON', 'make pictures', 'edit pictures'])
    expect(out).toMatch(new RegExp(`^  ✓ ${ability} `, 'm'));
  expect(out).toMatch(/^ {2}AI Background Eraser +this server$/m);
  expect(out).toMatch(/^ {2}AI Art Generator +the service$/m);
});

it('fails if no service answers text', async () => {
  const { status, errors } = await runCommand(['doctor'], {
    ...service(),
    OPENAI_BASE_URL: `${fake.url}/nothing`,
  });
  expect([status, errors]).toEqual([1, expect.stringMatching(/^Tools that need a service fail until/)]);
});

it('names a wrong variable, and says that no service is connected', async () => {
  expect(await runCommand(['doctor'], { OPENAI_BASE_URL: fake.url })).toMatchObject({
    status: 78,
    errors: expect.stringMatching(/^OPENAI_API_KEY must hold a key/),
  });
  const { status, out } = await runCommand(['doctor'], {});
  expect([status, out]).toEqual([0, expect.stringMatching(/^No AI service is connected/)]);
});
