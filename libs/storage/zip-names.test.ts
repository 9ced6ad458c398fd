import { expect, it } from '@jest/globals';
import { toPictureName, zipNames } from './zip-names.js';

const png = (...names: string[]) => zipNames(names.map((name) => ({ name, type: 'image/png' })));

it('keeps a name and gives it the extension of its type', () => {
  expect(png('Cat.jpeg', '🐱👩‍👩‍👧.webp', 'no extension', 'two.parts.jpg', '.hidden', 'été.png')).toEqual([
    'Cat.png',
    '🐱👩‍👩‍👧.png',
    'no extension.png',
    'two.parts.png',
    'hidden.png',
    'été.png',
  ]);
  expect(zipNames([{ name: 'a.png', type: 'image/jpeg' }])).toEqual(['a.jpg']);
});

it('numbers names that a file system may consider equal', () => {
  expect(png('a.jpg', 'A.png', 'a.webp', 'a (2).png', 'e\u0301.png', '\u00e9.png')).toEqual([
    'a.png',
    'A (2).png',
    'a (3).png',
    'a (2) (2).png',
    'é.png',
    'é (2).png',
  ]);
});

it('does not lead out of the folder', () => {
  const hostile = [
    '../../etc/passwd',
    '..\\..\\boot.ini',
    '/etc/shadow',
    'C:\\temp\\x.png',
    'C:evil.png',
    '..',
    '...',
    '',
    ' ',
    'a\0b\n.png',
    '\u202egnp.exe',
    'con.png',
    'CON',
    'x. . .',
    '\ud83d.png',
  ];
  const names = png(...hostile);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(hostile.length);
  for (const name of names) {
    expect(name).toMatch(/^[^/\\:*?"<>|\p{Cc}\u202a-\u202e]+\.png$/u);
    expect(name).not.toMatch(/^\.|^(con|nul)\./i);
    expect(name.isWellFormed()).toBe(true);
  }
});

it('cuts a long name between characters, within the limits of file systems', () => {
  const [name] = png(`${'👩‍👩‍👧'.repeat(100)}.png`);
  expect(Buffer.byteLength(name!)).toBeLessThanOrEqual(210);
  expect(name).toMatch(/^(👩‍👩‍👧)+\.png$/u);
  expect(toPictureName('folder/ b \t c.png ')).toBe('b c.png');
});
