import { describe, expect, it } from '@jest/globals';
import { changesOf } from './changes';

const partsOf = (before: string, after: string, kind: string) =>
  changesOf(before, after)
    .filter((change) => change.kind === kind)
    .map(({ text }) => text.trim());

describe('changesOf', () => {
  it('marks words in changed lines, and whole added or removed lines', () => {
    const before = '# Title\n\nA short text.\n\nGone.\n';
    const after = '# Title\n\nA longer text.\n\n- New\n';
    expect(partsOf(before, after, 'removed')).toEqual(['short', 'Gone.']);
    expect(partsOf(before, after, 'added')).toEqual(['longer', '- New']);
    expect(changesOf(before, after)[0]).toEqual({ kind: 'same', text: '# Title\n\n' });
  });

  it('finds words in scripts without spaces', () => {
    expect(partsOf('これは本です。\n', 'これは車です。\n', 'added')).toEqual(['車']);
  });

  it('contains both texts', () => {
    const [before, after] = ['One two.\n\nThree\n', 'One  two!\n\n\nThree four\n'];
    const without = (kind: string) =>
      changesOf(before, after)
        .filter((change) => change.kind !== kind)
        .map(({ text }) => text)
        .join('');
    expect(without('removed').split(/\s+/)).toEqual(after.split(/\s+/));
    expect(without('added').split(/\s+/)).toEqual(before.split(/\s+/));
  });
});
