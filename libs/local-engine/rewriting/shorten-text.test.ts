import { describe, expect, it } from '@jest/globals';
import { shortenText } from './shorten-text.js';

describe('a shortened text', () => {
  it('keeps headings, code, lists and their announcements', () => {
    const source = [
      '# Posters',
      'Posters hang in windows. Somebody once dropped a ladder nearby. Windows show posters to the street.',
      'A poster needs:',
      '- paper\n- ink',
      '```\nprint poster\n```',
    ];
    expect(shortenText(source.join('\n\n'))).toBe(
      [source[0], 'Posters hang in windows. Windows show posters to the street.', ...source.slice(2)].join(
        '\n\n',
      ),
    );
  });

  it('removes a sentence with the sentences that depend on it', () => {
    const text =
      'The garden has roses and tulips. Roses grow in the garden all year. Yesterday a van stopped. It was blue. However, nobody came out. The tulips of the garden follow the roses.';
    expect(shortenText(text)).toBe(
      'The garden has roses and tulips. Roses grow in the garden all year. The tulips of the garden follow the roses.',
    );
  });

  it('does not divide emphasis or quotations', () => {
    expect(shortenText('He said: “It rains. It pours.” **All day. All night.**')).toBeNull();
  });

  it('removes stock phrases from a sentence that is kept', () => {
    expect(shortenText('It is important to note that tea is good.')).toBe('Tea is good.');
  });

  it.each(['', 'One sentence.', '# A heading\n\n| a |\n| - |\n| b |'])(
    'has nothing to take from %j',
    (text) => {
      expect(shortenText(text)).toBeNull();
    },
  );
});
