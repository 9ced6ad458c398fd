import { expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { readConfig } from './environment.js';

const needed = { DATABASE_URL: 'postgres://localhost/x', AUTH_SECRET: '0123456789abcdef0123456789abcdef' };
const withService = { ...needed, OPENAI_API_KEY: 'any' };
const list = (models: object, more: object = {}) =>
  JSON.stringify({ currency: 'USD', date: '2026-01-01', models, ...more });
const all = { 'gpt-4.1-mini': { input: 1, output: 2 }, 'gpt-image-1': { image: 0.04 } };

it('takes the example, and JSON', () => {
  const example = readConfig({ ...withService, PRICES_PROVIDER: 'ops/provider-prices.example.json' });
  expect(example.providerPrices?.models['gpt-4.1-mini']).toMatchObject({ input: 0.4, output: 1.6 });
  expect(readConfig({ ...withService, PRICES_PROVIDER: list(all) }).providerPrices?.currency).toBe('USD');
  expect(readConfig(withService).providerPrices).toBeNull();
});

it.each([
  ['no-such-file.json', 'the path of a JSON file'],
  ['{"currency"', 'valid JSON'],
  [list({ ...all, other: { input: 1 } }), 'models.other: needs input and output, or image'],
  [list({ ...all, other: { input: -1, output: 2 } }), 'models.other.input'],
  [list(all, { extra: true }), 'extra'],
  [list({ 'gpt-4.1-mini': { input: 1, output: 2 } }), 'a price for each model: gpt-image-1'],
])('refuses %s', (setting, message) => {
  const read = () => readConfig({ ...withService, PRICES_PROVIDER: setting });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(message);
});
