import { describe, expect, it } from '@jest/globals';
import { mergeTexts } from './merge-texts';

const base = '# Title\n\nFirst.\n\n- one\n- two\n\nLast.\n';

describe('mergeTexts', () => {
  it('applies the changes of both sides, also in adjacent lines', () => {
    const mine = base.replace('First.', 'First of all.').replace('- one', '- number one');
    const theirs = base.replace('- two', '- number two').replace('Last.', 'Last.\n\nMore.');
    expect(mergeTexts(mine, base, theirs)).toEqual([
      {
        kind: 'text',
        text: '# Title\n\nFirst of all.\n\n- number one\n- number two\n\nLast.\n\nMore.\n',
      },
    ]);
  });

  it('has no conflict if both made the same change', () => {
    const both = base.replace('First', 'Second');
    expect(mergeTexts(both, base, both)).toEqual([{ kind: 'text', text: both }]);
  });

  it('has a conflict for each paragraph that both changed, and for additions at the same place', () => {
    const mine = `${base.replace('First.', 'Mine.')}\nMine at the end.\n`;
    const theirs = `${base.replace('First.', 'Theirs.')}\nTheirs at the end.\n`;
    expect(mergeTexts(mine, base, theirs)).toEqual([
      { kind: 'text', text: '# Title\n\n' },
      { kind: 'conflict', mine: 'Mine.\n', theirs: 'Theirs.\n' },
      { kind: 'text', text: '\n- one\n- two\n\nLast.\n' },
      { kind: 'conflict', mine: '\nMine at the end.\n', theirs: '\nTheirs at the end.\n' },
    ]);
  });

  it('has a conflict if one side deleted a paragraph that the other changed', () => {
    expect(mergeTexts('a\n\nc\n', 'a\n\nb\n\nc\n', 'a\n\nb2\n\nc\n').map(({ kind }) => kind)).toContain(
      'conflict',
    );
  });
});
