import { describe, expect, it } from '@jest/globals';
import { choosePalette } from './palette.js';
import { randomFrom } from '../random.js';
import { styles } from './styles.js';
import { readScene } from './themes.js';
import { things } from './things.js';

const materials = 'air cloud fine glint land leaf light ray shade snow solid sphere tone veil'.split(' ');

describe('every thing', () => {
  const palette = choosePalette(styles.Realistic, readScene('', randomFrom('')), 0.5);

  it.each(Object.entries(things))(
    '%s is made of known colours and materials, in a readable path',
    (_, thing) => {
      const lines = thing.split('\n').map((line) => line.trim());
      for (const line of lines) {
        const [, colour, material = '', path] = /^(\w+) (\w+) ([MO].+)$/.exec(line) ?? [];
        expect(Object.keys(palette)).toContain(colour);
        expect(materials).toContain(material);
        expect(path).toMatch(/^(?:[MLCQ](?:-?[\d.]+ -?[\d.]+ ?)+|O-?[\d.]+ -?[\d.]+ [\d.]+|Z)+$/);
      }
    },
  );
});
