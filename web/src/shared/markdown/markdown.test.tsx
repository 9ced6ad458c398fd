import { describe, expect, it } from '@jest/globals';
import type { Nodes } from 'mdast';
import { renderToStaticMarkup } from 'react-dom/server';
import { cpuTimeOf } from '../../../../test/support/cpu-time';
import { hostileTexts } from '../../../../test/support/hostile-texts';
import { parseForExport } from '../../modules/text-editor/export/parse-for-export';
import { joinTexts } from './join-texts';
import { hasLongWord } from './long-words';
import { Markdown } from './markdown';
import RenderedMarkdown from './rendered-markdown';

/** Maximum CPU time of a render; more would make the page feel frozen. */
const MAX_CPU_MS = 1_500;

describe('Markdown', () => {
  it('is rendered', () => {
    expect(renderToStaticMarkup(<RenderedMarkdown text={'# One\n\nTwo *three*'} />)).toContain(
      '<h3>One</h3></div><div><p>Two <em>three</em></p>',
    );
  });

  it.each([
    ['これは**「重要」**です。', '<strong>「重要」</strong>'],
    ['**请注意。**如果下雨', '<strong>请注意。</strong>'],
    ['이것은 **"강조"**입니다', '<strong>&quot;강조&quot;</strong>'],
    ['*「斜体」*の文', '<em>「斜体」</em>'],
    ['これは~~「重要」~~です', '<del>「重要」</del>'],
    ['Note<strong>:</strong>text', '<strong>:</strong>'],
  ])('has emphasis beside the punctuation of %s', (text, expected) => {
    expect(renderToStaticMarkup(<RenderedMarkdown text={text} />)).toContain(expected);
    expect(JSON.stringify(parseForExport(text))).not.toMatch(/\*\*|~~/);
  });

  it('has no kerning if it has a long word, which would freeze the page', () => {
    const word = '<'.repeat(600);
    expect(renderToStaticMarkup(<Markdown text={`One\n\n${word}`} />)).toContain('data-long-words="true"');
    for (const text of ['one '.repeat(600), `${'one '.repeat(5)}\n`.repeat(200), '漢字かな'.repeat(600)])
      expect(renderToStaticMarkup(<Markdown text={text} />)).not.toContain('data-long-words');
    expect(hasLongWord('a\u00a0'.repeat(600))).toBe(true);
  });

  it('has at most 30 combining characters in a row', () => {
    const text = `a${'\u0301'.repeat(300)}b`;
    expect(renderToStaticMarkup(<RenderedMarkdown text={text} />)).toContain(`>a${'\u0301'.repeat(30)}b<`);
  });

  it('finds long words in a time that grows with the length of the text', async () => {
    const text = `${'a'.repeat(499)} `.repeat(600);
    expect(await cpuTimeOf(100, () => hasLongWord(text))).toBeLessThan(100);
  });

  it('joins tags that are shown as they are written', () => {
    const html = renderToStaticMarkup(<RenderedMarkdown text="a<u>b a<i>b **c<u>d** <sup>e</sup>f" />);
    expect(html).toContain('a&lt;u&gt;b a&lt;i&gt;b <strong>c&lt;u&gt;d</strong> <sup>e</sup>f');
    const texts = { type: 'paragraph', children: [] as { type: string; value: string }[] };
    for (let n = 0; n < 3; n += 1)
      texts.children.push({ type: 'text', value: 'a' }, { type: 'html', value: '<u>' });
    joinTexts(texts as Nodes);
    expect(texts.children).toEqual([{ type: 'text', value: 'a<u>a<u>a<u>' }]);
  });

  it('has superscript, subscript, underline and highlight, and other HTML as text', () => {
    expect(
      renderToStaticMarkup(
        <RenderedMarkdown text="10<sup>6</sup> <sub>*n*</sub> <u>a</u> <mark>b</mark> <b>c</b> <u>" />,
      ),
    ).toContain(
      '10<sup>6</sup> <sub><em>n</em></sub> <u>a</u> <mark>b</mark> &lt;b&gt;c&lt;/b&gt; &lt;u&gt;',
    );
  });

  it('has the line breaks of table cells', () => {
    const html = renderToStaticMarkup(
      <RenderedMarkdown text={'| a |\n| - |\n| b<br>**c** |\n\nNo<br>break'} />,
    );
    expect(html).toContain('<td>b<br/>\n<strong>c</strong></td>');
    expect(html).toContain('No&lt;br&gt;break');
  });

  it('sets Arabic and Hebrew from right to left, block by block', () => {
    const html = renderToStaticMarkup(
      <RenderedMarkdown
        text={[
          'The document says:\n> “VELLMAR بنيت المنارة من الجرانيت” [p. 3](#page=3)',
          '- שלום עולם\n- English',
          'שלום, *world* [p. 1](#page=1)',
          '| a |\n| - |\n| عقد الإيجار |',
        ].join('\n\n')}
      />,
    );
    expect(html).toContain('<p>The document says:</p>\n<blockquote dir="rtl">\n<p>“VELLMAR');
    expect(html).toContain('<a href="#page=3" dir="ltr">p. 3</a>');
    expect(html).toContain('<ul dir="rtl">\n<li>שלום עולם</li>\n<li dir="ltr">English</li>');
    expect(html).toContain('<p dir="rtl">שלום, <em>world</em>');
    expect(html).toContain('<td dir="rtl">عقد الإيجار</td>');
  });

  it('has footnotes, which link to their marks', () => {
    const html = renderToStaticMarkup(<RenderedMarkdown text={'Rent[^1].\n\n[^1]: lease.pdf, p. 2'} />);
    const [, note] = /<sup><a href="#([^"]+)" id="[^"]+"[^>]*>1<\/a><\/sup>/.exec(html) ?? [];
    expect(note).toBeTruthy();
    expect(html).toContain(`<li id="${note}"`);
    expect(html).toMatch(/lease\.pdf, p\. 2 <a href="#[^"]+"[^>]* aria-label="Back to reference 1"/);
  });

  it.each(['`a ', '`a` ', '<b>', '<a', '</b> ', 'a@b.c ', 'https://a.b/ ', 'www.a.b '])(
    'of 299,000 characters “%s” does not freeze the page',
    async (unit) => {
      const text = unit.repeat(299_000 / unit.length);
      const render = () => renderToStaticMarkup(<RenderedMarkdown text={text} />);
      expect(await cpuTimeOf(MAX_CPU_MS, render)).toBeLessThan(MAX_CPU_MS);
    },
  );

  it.each([
    ['dots in an address', `https://a.b/${'.'.repeat(200_000)}x`],
    ['brackets in an address', `https://a.b/${')'.repeat(20_000)}”x`],
    ['rows of dots in an address', `https://a.b/${`${'.'.repeat(100)}x`.repeat(2_900)}`],
    ['20,000 backticks', `${'`a` '.repeat(5_000)}\n\n`.repeat(2)],
    ['25,000 tags', '<b> '.repeat(25_000)],
    ['12,000 addresses', `${'https://www.a.b '.repeat(6_000)}\n\n`.repeat(2)],
  ])('of %s does not freeze the page', async (_, text) => {
    const render = () => renderToStaticMarkup(<RenderedMarkdown text={text} />);
    expect(await cpuTimeOf(MAX_CPU_MS, render)).toBeLessThan(MAX_CPU_MS);
  });

  it('is shown as plain text if it has too many marks to parse in time', () => {
    const text = '*_*_'.repeat(5_000);
    expect(renderToStaticMarkup(<RenderedMarkdown text={text} />)).toContain(`>${text}</p>`);
  });

  it.each(Object.entries(hostileTexts))('of %s freezes neither the page nor an export', async (_, text) => {
    const render = () => renderToStaticMarkup(<RenderedMarkdown text={text} />);
    expect(await cpuTimeOf(MAX_CPU_MS, render)).toBeLessThan(MAX_CPU_MS);
    expect(await cpuTimeOf(MAX_CPU_MS, () => parseForExport(text))).toBeLessThan(MAX_CPU_MS);
  });
});
