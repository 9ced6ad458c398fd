import { expect, it } from '@jest/globals';
import { fontRuns } from './pdf-fonts.js';

it('splits a text by script, and collects characters that the font lacks', () => {
  const missing = new Set<string>();
  expect(fontRuns('Plain Привет αβγ ő → 图 🍅!', missing)).toEqual([
    { subset: 'latin', text: 'Plain ' },
    { subset: 'cyrillic', text: 'Привет ' },
    { subset: 'greek', text: 'αβγ ' },
    { subset: 'latin-ext', text: 'ő ' },
    { subset: 'latin', text: '-> ? ?!' },
  ]);
  expect([...missing]).toEqual(['图', '🍅']);
});
