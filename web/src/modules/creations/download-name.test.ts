import { expect, it } from '@jest/globals';
import { downloadName, toNamePart } from './download-name.js';

const cut = (prompt: string, name: string | null = null) => ({
  prompt,
  name,
});

it.each([
  ['Background removed from baseball.jpg', 'baseball-no-background.png'],
  ['Background removed from ' + 'ä'.repeat(59) + '.png', 'ä'.repeat(59) + '-no-background.png'],
  ['Background removed from 猫 removed from 🐈.webp', '猫 removed from 🐈-no-background.png'],
  ['Background removed from שלום', 'שלום-no-background.png'],
  ['Background removed from .hidden', '.hidden-no-background.png'],
])('names the result of “%s” after the file', (prompt, name) => {
  expect(downloadName(cut(prompt), 'background-removed', 'png')).toBe(name);
});

it('says what else was changed', () => {
  const removed = cut('Painted area removed from a.b.jpg');
  expect(downloadName(removed, 'object-removed', 'jpg')).toBe('a.b-object-removed.jpg');
  const change = toNamePart('White background, soft shadow');
  expect(downloadName(cut('Background removed from cat.png'), 'x', 'webp', change)).toBe(
    'cat-white-background-soft-shadow.webp',
  );
});

it('prefers the name that the user gave it', () => {
  expect(downloadName(cut('Background removed from cat.png', 'Spring/sale'), 'x', 'png')).toBe(
    'Spring-sale.png',
  );
});

it.each([
  ['an earlier image', cut('Background removed from an earlier image')],
  ['a generated image', cut('A cat removed from a box')],
  ['a creation that is not loaded', undefined],
])('of %s has the time', (_, creation) => {
  expect(downloadName(creation, 'background-removed', 'png')).toMatch(/^background-removed-\d{13}\.png$/);
});
