import { expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { defaultPrices, readPrices } from './prices.js';

it('changes only what it names', () => {
  expect(readPrices(undefined)).toEqual(defaultPrices);
  const { tools, grants } = readPrices(
    '{"tools":{"generate-article":2,"generate-image":0},"grants":{"free":50}}',
  );
  expect(tools).toEqual({ ...defaultPrices.tools, 'generate-article': 2, 'generate-image': 0 });
  expect(grants).toEqual({ free: 50 });
  expect(readPrices('{}')).toEqual(defaultPrices);
});

it.each([
  ['{"tools"', 'PRICES must hold valid JSON'],
  ['{"tools":{"no-tool":1}}', 'no-tool'],
  ['{"tools":{"generate-article":-1}}', 'PRICES is wrong at tools.generate-article'],
  ['{"tools":{"generate-article":1.5}}', 'must be a whole number'],
  ['{"grants":{"premium":5}}', 'premium'],
])('refuses %s', (setting, message) => {
  expect(() => readPrices(setting)).toThrow(ConfigurationError);
  expect(() => readPrices(setting)).toThrow(message);
});
