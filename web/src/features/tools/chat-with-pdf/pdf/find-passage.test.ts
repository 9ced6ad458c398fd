import { describe, expect, it } from '@jest/globals';
import { findPassage } from './find-passage.js';

/** What the found stretch says, piece by piece. */
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
  it('finds words across pieces, whatever stands between them', () => {
    const texts = ['The lamp was ', 'built in 1874 from gran-', 'ite, “grey”', ' stone.'];
    expect(stretch(texts, 'built in 1874 from granite, "grey"')).toEqual([
      'built in 1874 from gran-',
      'ite, “grey',
    ]);
    expect(stretch(texts, 'LAMP  was built')).toEqual(['lamp was ', 'built']);
  });

  it('takes ligatures, marks and wide characters for what they stand for', () => {
    expect(stretch(['An oﬃcer in 𝐛𝐨𝐥𝐝'], 'officer in bold')).toEqual(['oﬃcer in 𝐛𝐨𝐥𝐝']);
    expect(stretch(['Cafe\u0301 Zürich'], 'Café Zu\u0308rich')).toEqual(['Cafe\u0301 Zürich']);
    expect(stretch(['图书馆', '在一八七四年'], '图书馆在一八七四年')).toEqual(['图书馆', '在一八七四年']);
  });

  it('finds nothing where nothing is', () => {
    expect(findPassage(['The lamp.'], 'the lamps')).toBeNull();
    expect(findPassage(['The lamp.'], '—')).toBeNull();
    expect(findPassage([], 'lamp')).toBeNull();
  });
});
