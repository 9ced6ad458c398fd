import { describe, expect, it } from '@jest/globals';
import { readJson } from './read-json.js';

describe('JSON in an answer', () => {
  it.each([
    ['bare', '{"a": 1}'],
    ['in a fence', '```json\n{"a": 1}\n```'],
    ['with chatter', 'Sure! Here {it} is:\n{"a": 1}\nAnything else?'],
    ['with trailing commas', '{"a": 1,}'],
    ['with comments', '/* a "result" */ {"a": /* b */ 1 // c: "d"\n}'],
    ['in single quotes', "{'a': 1}"],
    ['in typographic quotes', '{“a”: 1}'],
    ['without quotes', '{a: 1}'],
    ['in a fence that is not closed', '```json\n{"a": 1}'],
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

  it.each<[string, unknown]>([
    ["{'a': 'it's', 'b': None}", { a: "it's", b: null }],
    ['{"a": "the "best" one", "b": NaN}', { a: 'the "best" one', b: null }],
    ['{"a": [{"b": 1}, {"b": 2}]', { a: [{ b: 1 }, { b: 2 }] }],
    ['{"a": [{"b": 1, "c": {"d": 2}]}', { a: [{ b: 1, c: { d: 2 } }] }],
    ['{"a": "one"\n"b": "two\\u0021"}', { a: 'one', b: 'two!' }],
    ['{"a\\_b": -1.5e3, "c": ["\\_\\n"]}', { a_b: -1500, c: ['_\n'] }],
  ])('%s is read in spite of its mistakes', (answer, value) => {
    expect(readJson(answer)).toEqual(value);
  });

  it.each([
    '',
    'no JSON',
    '{"a": "b", "c": "d',
    '[see]',
    '{it}',
    '['.repeat(100_000),
    '{"a": 1',
    '{"a": "cut',
  ])('is undefined for %j', (answer) => {
    expect(readJson(answer)).toBeUndefined();
  });
});
