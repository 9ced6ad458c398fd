/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { toHtml, toHtmlFragment } from './to-html';

const pageOf = async (markdown: string) => {
  const html = await toHtml(markdown, 'A <title>');
  expect(html).toMatch(/^<!doctype html>\n<html/);
  return new DOMParser().parseFromString(html, 'text/html');
};

it('is a page of the text with its title, tables, tasks and footnotes', async () => {
  const page = await pageOf(
    '# One thing that is done\n\n- [x] two\n\n| a |\n| - |\n| b<br>c |\n\nText[^1]\n\n[^1]: A note.\n',
  );
  expect(page.title).toBe('A <title>');
  expect(page.documentElement.lang).toBe('en');
  expect(page.querySelector('meta[charset]')?.getAttribute('charset')).toBe('utf-8');
  expect(page.querySelector('h1')?.textContent).toBe('One thing that is done');
  expect(page.querySelector('input:checked:disabled')).not.toBeNull();
  expect(page.querySelector('td')?.innerHTML).toBe('b<br>c');
  expect(page.querySelector('section')?.textContent).toContain('A note.');
});

it('has the tags that are in pairs, and shows others as text', async () => {
  const page = await pageOf(
    '10<sup>6</sup> m<sub>*n*</sub> <mark>lit</mark>, `<sup>6</sup>`, <u>open\n\nA <sup>\n\nAfter.\n',
  );
  expect(page.querySelector('p')?.innerHTML).toBe(
    '10<sup>6</sup> m<sub><em>n</em></sub> <mark>lit</mark>, <code>&lt;sup&gt;6&lt;/sup&gt;</code>, &lt;u&gt;open',
  );
  expect(page.querySelectorAll('sup, u')).toHaveLength(1);
});

it('breaks the lines of a cell that has code', async () => {
  const page = await pageOf('| a |\n| - |\n| `x`<br>y<BR />`<br>` |\n\nNo<br>cell\n');
  expect(page.querySelector('td')?.innerHTML).toBe('<code>x</code><br>y<br><code>&lt;br&gt;</code>');
  expect(page.querySelector('p')?.innerHTML).toBe('No&lt;br&gt;cell');
});

it('has the language of most words, and none for a few', async () => {
  const english = await pageOf('The harbour is called 中 on old maps, and nobody knows why.\n');
  expect(english.documentElement.lang).toBe('en');
  expect((await pageOf('Hello\n')).documentElement.lang).toBe('');
});

it('runs and loads nothing', async () => {
  const page = await pageOf(
    '<script>alert(1)</script>\n\n[a](javascript:alert(1)) ![far](https://a.example/b.png)\n\n<img src=x onerror=alert(1)>\n',
  );
  expect(page.querySelector('script, img, [onerror], [href^=javascript]')).toBeNull();
  expect(page.body.textContent).toContain('<script>alert(1)</script>');
  expect(page.querySelector('a[href="https://a.example/b.png"]')?.textContent).toBe('far');
});

it('is HTML for the clipboard, with absolute addresses of images', async () => {
  const path = `/files/${'a'.repeat(43)}`;
  const fragment = await toHtmlFragment(`# One\n\n**two** ![Sea](${path}) ![far](https://a.example/b.png)\n`);
  expect(fragment).toContain('<h1 dir="auto">One</h1>');
  expect(fragment).toContain('<strong>two</strong>');
  expect(fragment).toContain(`src="${location.origin}${path}"`);
  expect(fragment).not.toContain('src="https://a.example');
});

it('has formulas as MathML, and wrong ones as TeX', async () => {
  const page = await pageOf('$x^2$, \\(\\frac{1\\)\n\n> $$\n> a\n> < b\n> $$\n\n| a |\n| - |\n| $y$ |\n');
  expect(page.querySelector('p > math msup')?.textContent).toBe('x2');
  expect(page.querySelector('p > code')?.textContent).toBe('\\frac{1');
  expect(page.querySelector('blockquote math[display=block] annotation')?.textContent).toBe('a\n< b');
  expect(page.querySelector('td math')).not.toBeNull();
});
