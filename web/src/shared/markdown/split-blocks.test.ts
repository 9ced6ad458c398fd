import { describe, expect, it } from '@jest/globals';
import { splitBlocks } from './split-blocks.js';

const text = [
  '# Title\n\nA paragraph\nof two lines.\n\n',
  '- one\n\n  more of one\n- two\n\n- three\n\n',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n',
  '1. first\n2. second\n\nThe end.',
].join('');

describe('splitBlocks', () => {
  it('keeps every character', () => {
    expect(splitBlocks(text).join('')).toBe(text);
    expect(splitBlocks('\n\n  \n')).toEqual(['\n\n  \n']);
    expect(splitBlocks('')).toEqual([]);
  });

  it('splits at blank lines, but not inside a list or a fence', () => {
    expect(splitBlocks(text)).toEqual([
      '# Title\n\n',
      'A paragraph\nof two lines.\n\n',
      '- one\n\n  more of one\n- two\n\n- three\n\n',
      '```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n',
      '1. first\n2. second\n\n',
      'The end.',
    ]);
  });

  it('keeps finished blocks while the text grows', () => {
    for (let end = 1; end < text.length; end += 1) {
      const before = splitBlocks(text.slice(0, end));
      const after = splitBlocks(text.slice(0, end + 1));
      const finished = before.slice(0, -2);
      expect(after.slice(0, finished.length)).toEqual(finished);
    }
  });

  it('does not split a text with definitions', () => {
    const linked = 'See [the paper][1].\n\nMore.\n\n[1]: https://example.com';
    expect(splitBlocks(linked)).toEqual([linked]);
  });
});
