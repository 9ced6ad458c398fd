/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { DOMParser as DocumentReader } from 'prosemirror-model';
import { cleanPaste } from './clean-paste';
import { MarkdownText } from './markdown-text';
import { schema } from './schema';

function markdownOf(html: string): string {
  const { body } = new DOMParser().parseFromString(cleanPaste(html), 'text/html');
  return new MarkdownText().write(DocumentReader.fromSchema(schema).parse(body)).replaceAll('\u00a0', ' ');
}

const wordItem = (list: string, level: number, mark: string, text: string) =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:${list} level${level} lfo1'><![if !supportLists]>` +
  `<span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>\n`;

describe('cleanPaste', () => {
  it('reads headings, text, lists and tables of Word', () => {
    const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body>
<!--StartFragment--><p class=MsoTitle>Plan<o:p></o:p></p>
<p class=MsoNormal>Some <b style='mso-bidi-font-weight:normal'>bold</b> and <i style='mso-bidi-font-style:normal'>slanted</i> text with a <a href="https://example.com/a">link</a>.<o:p></o:p></p>
${wordItem('l0', 1, '·', 'One')}${wordItem('l0', 2, 'o', 'Below')}${wordItem('l0', 1, '·', 'Two')}${wordItem('l1', 1, '1.', 'First')}${wordItem('l1', 1, '2.', 'Second')}
<table border=1><tr><td colspan=2><p>Head</p></td></tr><tr><td><p>A</p><p>line</p></td><td><p>$5</p></td></tr></table>
<!--EndFragment--></body></html>`;
    expect(markdownOf(word)).toBe(
      [
        '# Plan',
        'Some **bold** and *slanted* text with a [link](https://example.com/a).',
        '- One\n  - Below\n- Two',
        '1. First\n2. Second',
        '| Head | |\n| - | - |\n| A<br>line | $5 |',
      ].join('\n\n'),
    );
  });

  it('reads styles and nested lists of Google Docs', () => {
    const docs =
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2><span style="font-weight:700">Title</span></h2>' +
      '<p><span style="font-weight:400">Plain </span><span style="font-weight:700">strong</span><span> </span><span style="font-style:italic">slanted</span><span> </span>' +
      '<span style="text-decoration:line-through">gone</span><span> </span><a href="https://example.com/b" style="text-decoration:none"><span style="color:#15c">link</span></a></p>' +
      '<ul><li><p><span>one</span></p></li><ul><li><p><span>nested</span></p></li></ul><li><p><span>two</span></p></li></ul></b>';
    expect(markdownOf(docs)).toBe(
      '## Title\n\nPlain **strong** *slanted* ~~gone~~ [link](https://example.com/b)\n\n- one\n  - nested\n- two',
    );
  });

  it('reads footnotes and quotations of Word, and omits the targets of its internal links', () => {
    const word =
      `<p class=MsoNormal>Said<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference><span style='mso-special-character:footnote'>[1]</span></span></a>, see <a href="#_Toc12">Part 2</a>.</p>` +
      `<p class=MsoQuote>So it is.</p><div style='mso-element:footnote-list'><hr align=left size=1><div style='mso-element:footnote' id=ftn1>` +
      `<p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href="#_ftnref1" name="_ftn1"><span>[1]</span></a> Who said\nit.<o:p></o:p></p></div></div>`;
    expect(markdownOf(word)).toBe('Said[^1], see Part 2.\n\n> So it is.\n\n[^1]: Who said it.');
  });

  it('omits empty paragraphs, and line breaks without a following line', () => {
    const empty = '<p class=MsoNormal><o:p>&nbsp;</o:p></p>';
    const word =
      `${empty}<p class=MsoNormal>One<br>line more<br clear=all></p>${empty}${empty}<h2><o:p>&nbsp;</o:p></h2>` +
      `<p class=MsoNormal><span><br clear=all style='page-break-before:always'></span></p>` +
      `<p class=MsoNormal><b>Two<br></b></p>${wordItem('l0', 1, '·', 'First')}${empty}${wordItem('l0', 1, '·', 'Second')}`;
    expect(markdownOf(word)).toBe('One\\\nline more\n\n**Two**\n\n- First\n- Second');
    const docs =
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span>One</span></p><br><p><span>Two</span></p></b><br class="Apple-interchange-newline">';
    expect(markdownOf(docs)).toBe('One\n\nTwo');
  });

  it('keeps a space next to text, and an image alone in its paragraph', () => {
    const html =
      '<p>10&nbsp;m</p><p><img src="https://example.com/a.png" alt="Sea"></p><p><img src="file:///C:/b.png"></p>';
    expect(markdownOf(html)).toBe('10 m\n\n![Sea](https://example.com/a.png)');
  });

  it('keeps the columns of merged cells, and lists in cells as lines', () => {
    const sheet =
      '<table><tr><th>Region</th><th>City</th><th>Boats</th></tr><tr><td rowspan=2>North</td><td>Oslo</td><td>10</td></tr>' +
      '<tr><td>Bergen</td><td>20</td></tr><tr><td colspan=2 rowspan=2>All</td><td>30</td></tr><tr><td>40</td></tr></table>';
    expect(markdownOf(sheet)).toBe(
      '| Region | City | Boats |\n| - | - | - |\n| North | Oslo | 10 |\n| | Bergen | 20 |\n| All | | 30 |\n| | | 40 |',
    );
    expect(
      markdownOf(
        '<table><tr><td>A</td></tr><tr><td><ul><li><p>one</p></li><li>two<ol start=3><li>below</li></ol></li></ul></td></tr></table>',
      ),
    ).toBe('| A |\n| - |\n| • one<br>• two<br>3. below |');
  });

  it('continues the numbers of a list of Word after a remark', () => {
    expect(
      markdownOf(
        `${wordItem('l1', 1, '1.', 'One')}<p class=MsoNormal>A remark.</p>${wordItem('l1', 1, '2.', 'Two')}${wordItem('l1', 1, '3.', 'Three')}`,
      ),
    ).toBe('1. One\n\nA remark.\n\n2. Two\n3. Three');
  });

  it('keeps the lines and the language of code', () => {
    const vsCode =
      `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: Menlo, Monaco, 'Courier New', monospace;white-space: pre;">` +
      '<div><span style="color: #569cd6;">if</span><span> (a)</span></div><div><span>  run();</span></div><br><div><span>end();</span></div></div>';
    expect(markdownOf(vsCode)).toBe('```\nif (a)\n  run();\n\nend();\n```');
    const chat =
      '<pre><div><div>python</div><button>Copy code</button></div><div><code class="hljs language-python"><span>def f():</span>\n    <span>return 1</span>\n</code></div></pre>';
    expect(markdownOf(chat)).toBe('```python\ndef f():\n    return 1\n```');
  });

  it('keeps superscript, subscript, underline and highlight', () => {
    expect(
      markdownOf(
        '<p class=MsoNormal>10<sup>6</sup> m<span style="vertical-align:super">2</span>, H<sub>2</sub>O, <u>under</u>, ' +
          '<span style="background:yellow;mso-highlight:yellow">lit</span>, ' +
          '<a href="https://a.example/"><u><span style="text-decoration:underline">link</span></u></a></p>',
      ),
    ).toBe(
      '10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, <u>under</u>, <mark>lit</mark>, [link](https://a.example/)',
    );
  });

  it('keeps a formula of KaTeX once, as TeX', () => {
    const katex =
      '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup></mrow>' +
      '<annotation encoding="application/x-tex">a^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>a</span><span>2</span></span></span>.</p>';
    expect(markdownOf(katex)).toBe('So $a^2$.');
  });

  it('reads checklists and code of Google Docs', () => {
    const docs =
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><ul><li role="checkbox" aria-checked="true"><p><span>done</span></p></li>' +
      `<li role="checkbox" aria-checked="false"><p><span>open</span></p></li></ul><p><span style="font-family:'Roboto Mono',monospace">npm ci</span></p></b>`;
    expect(markdownOf(docs)).toBe('- [x] done\n- [ ] open\n\n`npm ci`');
  });

  it('nests the lists of Word for the web, and continues their numbers', () => {
    const item = (tag: 'ol' | 'ul', level: number, position: number, text: string) =>
      `<div class="ListContainerWrapper SCXW1 BCX0"><${tag} class="BulletListStyle1 SCXW1" role="list" start="${position}"><li data-leveltext="%1." data-font="" ` +
      `data-listid="${tag === 'ol' ? 2 : 1}" data-aria-posinset="${position}" data-aria-level="${level}" role="listitem" class="OutlineElement Ltr SCXW1">` +
      `<p class="Paragraph SCXW1"><span class="TextRun SCXW1" data-contrast="auto"><span class="NormalTextRun SCXW1">${text}</span></span><span class="EOP SCXW1">&nbsp;</span></p></li></${tag}></div>`;
    const html =
      item('ul', 1, 1, 'One') +
      item('ul', 2, 1, 'Below') +
      item('ul', 2, 2, 'More') +
      item('ul', 1, 2, 'Two') +
      '<div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1"><span class="TextRun"><span class="NormalTextRun">A remark.</span></span><span class="EOP">&nbsp;</span></p></div>' +
      item('ol', 1, 3, 'Third') +
      item('ol', 1, 4, 'Fourth');
    expect(markdownOf(html)).toBe('- One\n  - Below\n  - More\n- Two\n\nA remark.\n\n3. Third\n4. Fourth');
  });

  it('keeps a display formula of a chat page once, as a block, and one of Wikipedia without its image', () => {
    const mathml = (tex: string) =>
      `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math>`;
    const chat = `<p>So:</p><span class="katex-display"><span class="katex"><span class="katex-mathml">${mathml('E=mc^2')}</span><span class="katex-html" aria-hidden="true">E</span></span></span><p>Then.</p>`;
    expect(markdownOf(chat)).toBe('So:\n\n$$\nE=mc^2\n$$\n\nThen.');
    const wikipedia =
      `<p>With <span class="mwe-math-element mwe-math-element-inline"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">${mathml('{\\displaystyle E=mc^{2}}')}</span>` +
      '<img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/9f73" class="mwe-math-fallback-image-inline" alt="{\\displaystyle E=mc^{2}}"></span> it is.</p>';
    expect(markdownOf(wikipedia)).toBe('With $E=mc^{2}$ it is.');
  });

  it('reads the language that a chat page writes above code, and lines that are elements', () => {
    const chat =
      '<p>Run:</p><div class="relative group/copy"><div class="text-text-500 p-3.5">Python</div><div class="overflow-x-auto"><pre class="code-block__code"><code><div>if a:</div><div>    b()</div></code></pre></div></div>';
    expect(markdownOf(chat)).toBe('Run:\n\n```python\nif a:\n    b()\n```');
    const gemini =
      '<code-block><div class="code-block"><div class="code-block-decoration"><span>TypeScript</span><div class="buttons"><button><mat-icon>content_copy</mat-icon></button></div></div><div class="animated-opacity"><pre><code role="text" class="code-container formatted">const a = 1;\n  b();\n</code></pre></div></div></code-block>';
    expect(markdownOf(gemini)).toBe('```typescript\nconst a = 1;\n  b();\n```');
    expect(markdownOf('<div><p>Text</p></div><div><span>Text</span></div><pre>a</pre>')).toContain(
      'Text\n\nText',
    );
  });

  it('joins the lines of code of Google Docs and Word', () => {
    const line = (text: string) =>
      `<p dir="ltr"><span style="font-size:11pt;font-family:'Roboto Mono',monospace;">${text}</span></p>`;
    const docs = (html: string) => `<b style="font-weight:normal;" id="docs-internal-guid-1">${html}</b>`;
    expect(
      markdownOf(
        docs(
          `<p><span style="font-family:Arial">Run:</span></p>${line('if (a) {')}${line('&nbsp;&nbsp;b();')}${line('}')}`,
        ),
      ),
    ).toBe('Run:\n\n```\nif (a) {\n  b();\n}\n```');
    expect(markdownOf(docs(`<table><tbody><tr><td>${line('a')}${line('b')}</td></tr></tbody></table>`))).toBe(
      '```\na\nb\n```',
    );
    const word =
      '<p class=MsoNormal>Run:</p><pre style="mso-x:y">if (a)<o:p></o:p></pre><pre><span>  b();</span></pre>';
    expect(markdownOf(word)).toBe('Run:\n\n```\nif (a)\n  b();\n```');
  });

  it('keeps a highlight of any colour of Google Docs', () => {
    const docs =
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="background-color:transparent">a </span><span style="background-color:#00ff00">lit</span><span style="vertical-align:super;background-color:transparent">2</span></p></b>';
    expect(markdownOf(docs)).toBe('a <mark>lit</mark><sup>2</sup>');
  });

  it('removes scripts and addresses that run one', () => {
    const html =
      '<p onclick="alert(1)">a<script>alert(1)</script> <a href="javascript:alert(1)">b</a><img src="x" onerror="alert(1)"></p>';
    expect(markdownOf(html)).toBe('a b');
  });
});
