import { describe, expect, it } from '@jest/globals';
import { findPassage } from './find-passage.js';

/** The found part of each text item; null if the quote was not found. */
function stretch(texts: string[], quote: string): string[] | null {
  const found = findPassage(texts, quote);
  if (found === null) return null;
  const { from, to } = found;
  return texts
    .slice(from.index, to.index + 1)
    .map((text, place, all) =>
      text.slice(place === 0 ? from.offset : 0, place === all.length - 1 ? to.offset : undefined),
    );
}

describe('findPassage', () => {
  it('finds words across items, with anything between them', () => {
    const texts = ['The lamp was ', 'built in 1874 from gran-', 'ite, “grey”', ' stone.'];
    expect(stretch(texts, 'built in 1874 from granite, "grey"')).toEqual([
      'built in 1874 from gran-',
      'ite, “grey',
    ]);
    expect(stretch(texts, 'LAMP  was built')).toEqual(['lamp was ', 'built']);
  });

  it('normalises ligatures, marks and wide characters', () => {
    expect(stretch(['An oﬃcer in 𝐛𝐨𝐥𝐝'], 'officer in bold')).toEqual(['oﬃcer in 𝐛𝐨𝐥𝐝']);
    expect(stretch(['Cafe\u0301 Zürich'], 'Café Zu\u0308rich')).toEqual(['Cafe\u0301 Zürich']);
    expect(stretch(['图书馆', '在一八七四年'], '图书馆在一八七四年')).toEqual(['图书馆', '在一八七四年']);
  });

  it('returns null without a match', () => {
    expect(findPassage(['The lamp.'], 'the lamps')).toBeNull();
    expect(findPassage(['The lamp.'], '—')).toBeNull();
    expect(findPassage([], 'lamp')).toBeNull();
  });
});
