import { expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { readConfig } from './environment.js';

const needed = { DATABASE_URL: 'postgres://localhost/x', AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480' };
const withService: Record<string, string> = { ...needed, OPENAI_API_KEY: 'any' };
const list = (models: object, more: object = {}) =>
  JSON.stringify({ currency: 'USD', date: '2026-01-01', models, ...more });
const all = { 'gpt-4.1-mini': { input: 1, output: 2 }, 'gpt-image-1': { image: 0.04 } };

const withFallback: Record<string, string> = {
  ...withService,
  AI_FALLBACK_API_KEY: 'any',
  AI_FALLBACK_BASE_URL: 'https://fallback.example.com/v1',
  AI_FALLBACK_TEXT_MODEL: 'small',
};

it('takes the example, and JSON', () => {
  const example = readConfig({
    ...withService,
    AI_MODERATION_MODEL: 'omni-moderation-latest',
    PRICES_PROVIDER: 'ops/prices/example.json',
  });
  expect(example.providerPrices?.models['gpt-4.1-mini']).toMatchObject({ input: 0.4, output: 1.6 });
  expect(readConfig({ ...withService, PRICES_PROVIDER: list(all) }).providerPrices?.currency).toBe('USD');
  expect(readConfig(withService).providerPrices).toBeNull();
});

it.each<[string, string, Record<string, string>?]>([
  ['no-such-file.json', 'the path of a JSON file'],
  ['{"currency"', 'valid JSON'],
  [list({ ...all, other: { input: 1 } }), 'models.other: needs input and output, or image'],
  [list({ ...all, other: { input: -1, output: 2 } }), 'models.other.input'],
  [list(all, { extra: true }), 'extra'],
  [list({ 'gpt-4.1-mini': { input: 1, output: 2 } }), 'in "models": gpt-image-1 is missing'],
  [list({}, { fallbackModels: all }), 'in "models": gpt-4.1-mini, gpt-image-1 is missing', withFallback],
  [list({ ...all, 'gpt-4.1-mini': { image: 1 } }), 'for each text model: gpt-4.1-mini lacks them'],
  [list(all), 'in "fallbackModels" or "models": small is missing', withFallback],
  [list(all), 'in "models": omni is missing', { ...withService, AI_MODERATION_MODEL: 'omni' }],
])('refuses %s', (setting, message, environment = withService) => {
  const read = () => readConfig({ ...environment, PRICES_PROVIDER: setting });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(message);
});
