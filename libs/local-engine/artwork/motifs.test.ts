import { describe, expect, it } from '@jest/globals';
import { motifs } from './motifs.js';
import { choosePalette } from './palette.js';
import { randomFrom } from '../random.js';
import { readScene } from './scene.js';
import { styleOf } from './styles.js';

const materials = 'air cloud fine glint land leaf light ray shade snow solid sphere tone veil'.split(' ');

describe('every motif', () => {
  const palette = choosePalette(styleOf('Realistic'), readScene('', randomFrom('')), 0.5);

  it.each(Object.entries(motifs))('%s has colours and materials that exist, and valid paths', (_, parts) => {
    for (const { fill, material, path } of parts) {
      expect(Object.keys(palette)).toContain(fill);
      expect(materials).toContain(material);
      expect(path).toMatch(/^(?:[MLCQ](?:-?[\d.]+ -?[\d.]+ ?)+|O-?[\d.]+ -?[\d.]+ [\d.]+|Z)+$/);
    }
  });
});
