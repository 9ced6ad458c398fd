import { describe, expect, it } from '@jest/globals';
import { readJson } from './read-json.js';

describe('JSON in an answer', () => {
  it.each([
    ['bare', '{"a": 1}'],
    ['in a fence', '```json\n{"a": 1}\n```'],
    ['with chatter', 'Sure! Here {it} is:\n{"a": 1}\nAnything else?'],
    ['with trailing commas', '{"a": 1,}'],
    ['in a fence with chatter', 'Of course.\n```\n{"a": 1,\n}\n```\nDone [1].'],
  ])('is read %s', (_, answer) => {
    expect(readJson(answer)).toEqual({ a: 1 });
  });

  it('keeps commas and brackets inside of strings', () => {
    expect(readJson('x {"a": "b,] } \\" c", "d": ["e,}",],}')).toEqual({ a: 'b,] } " c', d: ['e,}'] });
  });

  it('may have raw line breaks and tabs in its texts', () => {
    expect(readJson('{"a": "one\ntwo\tthree", "b": [1,]}')).toEqual({ a: 'one\ntwo\tthree', b: [1] });
  });

  it('may have the literals of Python', () => {
    expect(readJson('{"a": [True, False, None], "b": "True"}')).toEqual({
      a: [true, false, null],
      b: 'True',
    });
  });

  it.each(['', 'no JSON', '{"a": 1', '{"a": "cut'])('is undefined for %j', (answer) => {
    expect(readJson(answer)).toBeUndefined();
  });
});
