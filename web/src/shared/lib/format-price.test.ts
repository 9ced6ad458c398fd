import { expect, it } from '@jest/globals';
import { formatPrice } from './format-price';

it.each([
  [0, 'USD', '$0'],
  [12, 'USD', '$12'],
  [9.5, 'EUR', '€9.50'],
  [1200, 'JPY', '¥1,200'],
])('formats %s %s as %s', (amount, currency, text) => {
  expect(formatPrice({ amount, currency })).toBe(text);
});
