import { expect, it } from '@jest/globals';
import { checkNesting } from './json-nesting.js';

const check = (json: string) => () => checkNesting(Buffer.from(json));
const nested = (depth: number, inner = '1') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

it.each([
  ['100 levels', nested(100)],
  ['brackets in a text', JSON.stringify({ text: '[{'.repeat(100_000) })],
  ['brackets after escaped quotes', JSON.stringify({ text: `\\"${'["'.repeat(100_000)}` })],
  ['brackets after letters of several bytes', JSON.stringify({ text: `é漢😀${'['.repeat(200)}` })],
  ['many lists beside each other', `[${nested(99)},${nested(99)}]`],
  ['a text without an end', `"${'['.repeat(200)}`],
  ['a backslash at the end', '"\\'],
  ['nothing', ''],
])('accepts %s', (_, json) => {
  expect(check(json)).not.toThrow();
});

it.each([
  ['101 levels', nested(101), /nested too deeply/],
  ['2 MB of brackets', '{"a":'.concat('['.repeat(2_000_000)), /nested too deeply/],
  ['levels after a text that ends with a backslash', `["\\\\",${nested(100)}]`, /nested too deeply/],
  ['many lists', `[${'[],'.repeat(50_000)}1]`, /too many values/],
  ['many numbers', `[${'1,'.repeat(50_000)}1]`, /too many values/],
  ['many texts', '""'.repeat(50_001), /too many values/],
])('refuses %s', (_, json, message) => {
  expect(check(json)).toThrow(message);
});
