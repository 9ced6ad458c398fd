import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { create } from 'fontkit';
import { decompressWoff } from './decompress-woff.js';
import { correctShaping } from './font-shaping.js';

const fontOf = async (script: string, family = `noto-sans-${script}`) => {
  const file = `node_modules/@fontsource/${family}/files/${family}-${script}-400-normal.woff`;
  return create(await decompressWoff(Uint8Array.from(readFileSync(file))));
};

// The glyphs and widths are those of HarfBuzz.
it.each([
  ['bengali', 'নির্যাতন', [60, 44, 50, 122, 59, 40, 44], 3069],
  ['bengali', 'একটি', [21, 25, 353, 38, 320], 2351],
  ['bengali', 'এহেন', [21, 66, 56, 44], 2228],
  ['gurmukhi', 'ਪ੍ਰਕਾਸ਼', [37, 111, 17, 51, 47], 2053],
  ['gurmukhi', 'ਅਤੇ', [7, 32, 56], 1284],
  ['kannada', 'ಜ್ಞಾನ', [293, 60, 42], 1935],
  ['khmer', 'ត្រូវ', [216, 61, 114, 76], 1248],
  ['lao', 'ເຫຼົ່າ', [80, 47, 55, 65, 90, 59], 1331],
  ['malayalam', 'സ്ത്രീ', [58, 77, 162, 38, 66], 2709],
  ['tamil', 'கொள்கை', [46, 18, 41, 93, 48, 18], 5359],
  ['telugu', 'శ్రీ', [244, 556], 550],
  ['telugu', 'వ్యక్తి', [54, 677, 177, 561], 1680],
])('shapes %s: %s', async (script, word, glyphs, width) => {
  const font = await fontOf(script);
  correctShaping(font);
  correctShaping(font);
  const shaped = font.layout(word);
  expect(shaped.glyphs.map(({ id }) => id)).toEqual(glyphs);
  expect(shaped.advanceWidth).toBe(width);
});

it.each(['مرحبا', 'دار السلام', 'هذا الوزير'])(
  'joins the letters of Arabic as fontkit does: %s',
  async (text) => {
    const [font, uncorrected] = [await fontOf('arabic', 'amiri'), await fontOf('arabic', 'amiri')];
    correctShaping(font);
    const glyphs = uncorrected.layout(text).glyphs.map(({ id }) => id);
    expect(font.layout(text).glyphs.map(({ id }) => id)).toEqual(glyphs);
  },
);
