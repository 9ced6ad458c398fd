import { expect, it } from '@jest/globals';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { plainScript, readInlineTags, withoutInlineTags, type Tagged } from './inline-tags.js';
import { markdownPreview, plainLine } from './markdown.js';

const shape = (node: unknown): unknown => {
  const { type, value, children, tag } = node as Tagged & { value?: string };
  return children ? [tag ?? type, ...children.map(shape)] : value;
};

it.each([
  ['10<sup>6</sup> m<sub>*n*</sub>', ['10', ['sup', '6'], ' m', ['sub', ['emphasis', 'n']]]],
  ['a<strong>:</strong>b <em>c</em><del>d</del>', ['a', ['strong', ':'], 'b ', ['em', 'c'], ['del', 'd']]],
  ['<u>a <mark>b</mark></u>', [['u', 'a ', ['mark', 'b']]]],
  ['a <sup>b</sub> </u> c', ['a ', '<sup>', 'b', '</sub>', ' ', '</u>', ' c']],
  ['<u>a <sup>b</u> c</sup>', [['u', 'a ', '<sup>', 'b'], ' c', '</sup>']],
  ['<b>a</b> <sup onclick="x">b</sup>', ['<b>', 'a', '</b>', ' ', '<sup onclick="x">', 'b', '</sup>']],
])('reads pairs of tags, and leaves others as text: %s', (markdown, expected) => {
  const root = fromMarkdown(markdown);
  readInlineTags(root);
  expect(shape(root)).toEqual(['root', ['paragraph', ...expected]]);
});

it('says in a line of text what tags say', () => {
  expect([
    plainScript('-12', 'sup'),
    plainScript('2', 'sub'),
    plainScript('th', 'sup'),
    plainScript('x', 'sub'),
  ]).toEqual(['⁻¹²', '₂', '^(th)', '_x']);
  expect(
    withoutInlineTags('10<sup>6</sup> H<sub>2</sub>O <u>under</u> <mark>lit</mark><strong>:</strong> <b>'),
  ).toBe('10⁶ H₂O under lit: <b>');
  expect(withoutInlineTags('10<sup>10<sup>100</sup></sup>')).toBe('10^(10¹⁰⁰)');
  expect([plainLine('**10<sup>6</sup>** m'), markdownPreview('# 10<sup>6</sup> m')]).toEqual([
    '10⁶ m',
    '10⁶ m',
  ]);
});
