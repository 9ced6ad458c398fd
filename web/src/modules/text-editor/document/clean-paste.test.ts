/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { DOMParser as DocumentReader } from 'prosemirror-model';
import { cleanPaste } from './clean-paste';
import { MarkdownText } from './markdown-text';
import { schema } from './schema';

function markdownOf(html: string): string {
  const { body } = new DOMParser().parseFromString(cleanPaste(html), 'text/html');
  return new MarkdownText().write(DocumentReader.fromSchema(schema).parse(body));
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

  it('omits the empty list of a folded part of a page, and keeps the marks of a quotation', () => {
    expect(
      markdownOf(
        '<details><summary>Zutaten</summary><ul><li></li><li><label><input type="checkbox" checked=""></label></li></ul></details>' +
          '<details open=""><summary>Mehr</summary><p>Sie sagt <q>ja <b>gern</b></q>.</p></details>',
      ),
    ).toBe('Zutaten\n\nMehr\n\nSie sagt “ja **gern**”.');
  });

  it('keeps a space next to text, and an image alone in its paragraph', () => {
    const html =
      '<p>10&nbsp;m</p><p><img src="https://example.com/a.png" alt="Sea"></p><p><img src="file:///C:/b.png"></p>';
    expect(markdownOf(html)).toBe('10\u00a0m\n\n![Sea](https://example.com/a.png)');
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

  it.each([
    [
      'a row span in the second column',
      '<tr><td>Day</td><td>Region</td><td>City</td><td>Boats</td></tr><tr><td>Mon</td><td rowspan=2>North</td><td>Oslo</td><td>10</td></tr><tr><td>Tue</td><td>Bergen</td><td>20</td></tr>',
      '| Day | Region | City | Boats |\n| - | - | - | - |\n| Mon | North | Oslo | 10 |\n| Tue | | Bergen | 20 |',
    ],
    [
      'a row span in the last column',
      '<tr><td>A</td><td>B</td><td>C</td></tr><tr><td>1</td><td>2</td><td rowspan=2>3</td></tr><tr><td>4</td></tr><tr><td>5</td><td>6</td><td>7</td></tr>',
      '| A | B | C |\n| - | - | - |\n| 1 | 2 | 3 |\n| 4 | | |\n| 5 | 6 | 7 |',
    ],
    [
      'row spans in several columns, which end in different rows',
      '<tr><td>A</td><td>B</td><td>C</td></tr><tr><td rowspan=3>1</td><td rowspan=2>2</td><td>3</td></tr><tr><td>4</td></tr><tr><td>5</td><td>6</td></tr>',
      '| A | B | C |\n| - | - | - |\n| 1 | 2 | 3 |\n| | | 4 |\n| | 5 | 6 |',
    ],
    [
      'a cell over rows and columns, beside a row span',
      '<tr><td>A</td><td>B</td><td>C</td><td>D</td></tr><tr><td rowspan=2>1</td><td colspan=2 rowspan=2>2</td><td>3</td></tr><tr><td>4</td></tr><tr><td>5</td><td>6</td><td>7</td><td>8</td></tr>',
      '| A | B | C | D |\n| - | - | - | - |\n| 1 | 2 | | 3 |\n| | | | 4 |\n| 5 | 6 | 7 | 8 |',
    ],
  ])('keeps the columns beside %s', (_, rows, markdown) => {
    expect(markdownOf(`<table>${rows}</table>`)).toBe(markdown);
  });

  it.each([
    ['<div>1 High St</div>\n<div>Bergen</div>', '1 High St<br>Bergen'],
    ['1 High St<div>Bergen</div>', '1 High St<br>Bergen'],
    ['<dl><dt>Street</dt><dd>1 High St</dd></dl>', 'Street<br>1 High St'],
    ['<pre>a();\nb();</pre>', '`a();`<br>`b();`'],
    ['<h2>Title</h2>Text', 'Title<br>Text'],
    ['<blockquote><p>One</p><p>Two</p></blockquote>', 'One<br>Two'],
    ['One<hr>Two', 'One<br>Two'],
    [
      '<table><caption>Inner</caption><tr><td>a</td><td><p>b</p></td></tr><tr><td>c</td><td>d</td></tr></table>',
      'Inner<br>a, b<br>c, d',
    ],
    ['Intro<ul><li>a<li>b</ul>outro', 'Intro<br>• a<br>• b<br>outro'],
    ['<ul><li><p>a</p><p>more</p></li></ul>', '• a<br>more'],
    ['<b><div>a</div></b><div><br></div><div>b</div>', '**a**<br>b'],
    ['a<br><br>b', 'a<br><br>b'],
    ['<pre>a\n\tb  = 1</pre>', '`a`<br>`\u00a0\u00a0\u00a0\u00a0b\u00a0\u00a0= 1`'],
    ['<input type=checkbox checked> done', '☑ done'],
    ['<ul><li><label><input type="checkbox">open</label></li><li>other</li></ul>', '☐ open<br>• other'],
    [
      '<div><img src="https://a.example/b.png" alt="Sea"></div><div>b</div>',
      '![Sea](https://a.example/b.png)<br>b',
    ],
  ])('makes the blocks of a cell lines: %s', (cell, markdown) => {
    expect(
      markdownOf(
        `<table><tr><th>Name</th><th>Where</th><th>Age</th></tr><tr><td>Ann</td><td>${cell}</td><td>20</td></tr></table>`,
      ),
    ).toBe(`| Name | Where | Age |\n| - | - | - |\n| Ann | ${markdown} | 20 |`);
  });

  it('puts the caption of a table above it, and keeps a table within a table of one column', () => {
    const table = '<table><caption>Boats</caption><tr><th>City</th></tr><tr><td>Oslo</td></tr></table>';
    expect(markdownOf(table)).toBe('Boats\n\n| City |\n| - |\n| Oslo |');
    expect(markdownOf(`<table><tr><td><p>Dear Ann</p>${table}</td></tr></table>`)).toBe(
      'Dear Ann\n\nBoats\n\n| City |\n| - |\n| Oslo |',
    );
  });

  it('continues the numbers of a list of Word after a remark', () => {
    expect(
      markdownOf(
        `${wordItem('l1', 1, '1.', 'One')}<p class=MsoNormal>A remark.</p>${wordItem('l1', 1, '2.', 'Two')}${wordItem('l1', 1, '3.', 'Three')}`,
      ),
    ).toBe('1. One\n\nA remark.\n\n2. Two\n3. Three');
  });

  it('keeps the paragraphs of an item of Word in it, by their margin, and the items below them', () => {
    const item = (margin: number, level: number, mark: string, text: string) =>
      wordItem('l0', level, mark, text).replace("style='", `style='margin-left:${margin}pt;`);
    const text = (margin: number, words: string) =>
      `<p class=MsoNormal style='margin-left:${margin}pt'>${words}</p>\n`;
    expect(
      markdownOf(
        item(36, 1, '1.', 'One') +
          item(72, 2, 'a.', 'Below') +
          text(72, 'Its remark') +
          item(72, 2, 'b.', 'Below') +
          text(36, 'A remark') +
          item(72, 2, 'c.', 'Below') +
          text(18, 'Not in the list') +
          item(36, 1, '2.', 'Two'),
      ),
    ).toBe(
      '1. One\n   1. Below\n\n      Its remark\n   2. Below\n\n   A remark\n\n   3. Below\n\nNot in the list\n\n2. Two',
    );
    expect(
      markdownOf(
        `${wordItem('l0', 1, '1.', 'One')}<p class=MsoListParagraphCxSpMiddle>Its remark</p>${wordItem('l0', 1, '2.', 'Two')}`,
      ),
    ).toBe('1. One\n\n   Its remark\n2. Two');
    expect(
      markdownOf(
        `${wordItem('l0', 1, '·', 'One')}<ul><ul><li style='mso-list:l0 level2 lfo1'>Below</li></ul></ul>${wordItem('l0', 1, '·', 'Two')}`,
      ),
    ).toBe('- One\n  - Below\n- Two');
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

  it.each([
    ['10<sup>10<sup>100</sup></sup>', '10<sup>10^100</sup>'],
    ['x<sub>i<sup>n+1</sup></sub>', 'x<sub>i^(n+1)</sub>'],
    ['10<sup><span style="vertical-align:super">6</span></sup>', '10<sup>6</sup>'],
    ['10<span style="vertical-align:5pt">6</span>', '10<sup>6</sup>'],
    ['10<span style="vertical-align: text-top">6</span>', '10<sup>6</sup>'],
    ['10<span style="font-variant-position: super">6</span>', '10<sup>6</sup>'],
    [`10<span style='position:relative;top:-3.0pt;mso-text-raise:3.0pt'>6</span>`, '10<sup>6</sup>'],
    [`H<span style='position:relative;top:3.0pt;mso-text-raise:-3.0pt'>2</span>O`, 'H<sub>2</sub>O'],
    ['H<span style="vertical-align:-25%">2</span>O', 'H<sub>2</sub>O'],
    ['a <span style="vertical-align: 1px">new</span> <span style="vertical-align:0.1em">b</span>', 'a new b'],
    ['a <span style="vertical-align:baseline">b</span> <span style="vertical-align: 0%">c</span>', 'a b c'],
  ])('keeps the height of %s', (html, markdown) => {
    expect(markdownOf(`<p>${html}</p>`)).toBe(markdown);
  });

  it('keeps the box of a task that is in no list', () => {
    expect(
      markdownOf('<p><input type=checkbox checked> done</p><div><input type="checkbox">open</div>'),
    ).toBe('☑ done\n\n☐ open');
  });

  it.each([
    [
      'tasks of Confluence',
      '<ul class="inline-task-list"><li class="checked">done</li><li>open</li></ul>',
      '- [x] done\n- [ ] open',
    ],
    [
      'tasks of Notion',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div><span>done</span></li><li><div class="checkbox checkbox-off"></div>open</li></ul>',
      '- [x] done\n- [ ] open',
    ],
    [
      'tasks of Joplin and TinyMCE',
      '<ul class="joplin-checklist"><li>open<ul class="joplin-checklist"><li class="checked">below</li></ul></li></ul><ul class="tox-checklist"><li class="tox-checklist--checked">done</li></ul>',
      '- [ ] open\n  - [x] below\n\n* [x] done',
    ],
    [
      'tasks of Quill and Evernote',
      '<ul data-checked="true"><li>old</li></ul><p>Text</p><ul style="--en-todo:true"><li style="--en-checked:true">done</li><li style="--en-checked:false">open</li></ul>',
      '- [x] old\n\nText\n\n- [x] done\n- [ ] open',
    ],
    [
      'lists of Quill',
      '<ol><li data-list="bullet">a</li><li data-list="ordered" class="ql-indent-1">b</li><li data-list="unchecked">c</li></ol><p>Text</p><ul><li>d</li><li class="ql-indent-1">e</li></ul>',
      '- a\n  1. b\n- [ ] c\n\nText\n\n- d\n  - e',
    ],
    [
      'code of Evernote',
      '<div style="--en-codeblock:true; font-family: Monaco, monospace;"><div>if (a)</div><div><br></div><div>&nbsp; b();</div></div>',
      '```\nif (a)\n\n  b();\n```',
    ],
    [
      'lines of a message',
      '<div style="white-space: pre-wrap;">Oslo 5\nBergen <b>7\n8</b></div>',
      'Oslo 5\\\nBergen **7\\\n8**',
    ],
    [
      'source lines',
      '<div style="white-space: normal">Oslo\n5</div><div style="white-space:pre-wrap">\n<p>a</p>\n</div>',
      'Oslo 5\n\na',
    ],
    [
      'the ticks of a table',
      '<table><tr><td>Free</td></tr><tr><td><svg aria-label="Yes"></svg></td></tr></table>',
      '| Free |\n| - |\n| Yes |',
    ],
    [
      'a rating',
      '<p>Rated <span role="img" aria-label="4 of 5 stars"></span> by <span role="img" aria-label="tada">🎉</span></p>',
      'Rated 4 of 5 stars by 🎉',
    ],
    [
      'a number with a hidden digit of Wikipedia',
      '<p><span style="visibility:hidden;color:transparent;">0</span>5 m<span hidden>9</span></p>',
      '5 m',
    ],
  ])('reads %s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it.each([
    [
      'VS Code',
      `<div style="font-family: Consolas, monospace;white-space: pre;"><div><span>def f():</span></div><div><span>&#160; &#160; return 1</span></div></div>`,
    ],
    [
      'Visual Studio',
      '<pre style="font-family:Cascadia Mono">def f():\n&nbsp;&nbsp;&nbsp;&nbsp;return 1</pre>',
    ],
    [
      'a page with line numbers',
      '<table><tr><td>1</td><td class="code">def f():</td></tr><tr><td>2</td><td class="code">&nbsp;&nbsp;&nbsp;&nbsp;return 1</td></tr></table>',
    ],
  ])('indents the code of %s by spaces', (_, html) => {
    expect(markdownOf(html)).toBe('```\ndef f():\n    return 1\n```');
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

  it('keeps a highlight of Google Docs', () => {
    const docs =
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="background-color:transparent">a </span><span style="background-color:#00ff00">lit</span><span style="vertical-align:super;background-color:transparent">2</span></p></b>';
    expect(markdownOf(docs)).toBe('a <mark>lit</mark><sup>2</sup>');
  });

  it('keeps the text beside a picture of Word, which is in a conditional comment too', () => {
    const picture =
      '<!--[if gte vml 1]><v:shape id="_x0000_i1025"><v:imagedata src="file:///C:/a.png"/></v:shape><![endif]-->' +
      '<![if !vml]><img width=9 height=9 src="file:///C:/a.png"><![endif]>';
    expect(
      markdownOf(
        `<p class=MsoNormal>Before ${picture}after</p><p class=MsoNormal>${picture}</p><p class=MsoNormal>End<!--EndFragment--></p>`,
      ),
    ).toBe('Before after\n\nEnd');
  });

  it('reads a list of Word whose styles are broken into lines', () => {
    const item = (mark: string, text: string) =>
      `<p class=MsoNormal style='text-indent:-14.2pt;mso-list:\nl0 level1 lfo1'><![if !supportLists]><span style='font-family:\n"Courier New"'>` +
      `<span style='mso-list:\nIgnore'>${mark}<span>&nbsp; </span></span></span><![endif]>${text}</p>`;
    expect(markdownOf(item('o', 'One') + item('o', 'Two'))).toBe('- One\n- Two');
    expect(markdownOf(item('1.', 'One') + item('2.', 'Two'))).toBe('1. One\n2. Two');
  });

  it('keeps kinds, levels and numbers of the lists of Word', () => {
    expect(
      markdownOf(
        wordItem('l1', 1, '·', 'One') +
          wordItem('l0', 2, '1.', 'Below') +
          wordItem('l0', 2, '2.', 'More') +
          wordItem('l1', 1, '·', 'Two'),
      ),
    ).toBe('- One\n  1. Below\n  2. More\n- Two');
    expect(
      markdownOf(
        wordItem('l0', 1, '1)', 'One') + wordItem('l0', 3, '·', 'Deep') + wordItem('l0', 2, '2.', 'Below'),
      ),
    ).toBe('1. One\n   - Deep\n   2. Below');
    expect(markdownOf(wordItem('l0', 1, '1.', 'One') + wordItem('l0', 1, '1.', 'Restarted'))).toBe(
      '1. One\n\n1) Restarted',
    );
    expect(
      markdownOf(['h', 'i', 'j'].map((letter) => wordItem('l0', 1, `${letter})`, letter)).join('')),
    ).toBe('8. h\n9. i\n10. j');
    expect(
      markdownOf(['i', 'ii', 'iii', 'iv'].map((mark) => wordItem('l0', 1, `${mark}.`, mark)).join('')),
    ).toBe('1. i\n2. ii\n3. iii\n4. iv');
    expect(markdownOf(wordItem('l0', 1, '3.1.', 'One') + wordItem('l0', 1, '3.2.', 'Two'))).toBe(
      '- 3.1. One\n- 3.2. Two',
    );
  });

  it('keeps a mark of Word that has words, and the number of a heading, as text', () => {
    expect(markdownOf(wordItem('l0', 1, 'Article I.', 'Scope'))).toBe('- Article I. Scope');
    const heading = (mark: string) =>
      `<h2 style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${mark}<span>&nbsp;&nbsp; </span></span><![endif]>Plan</h2>`;
    expect(markdownOf(heading('2.1'))).toBe('## 2.1 Plan');
    expect(markdownOf(heading('·'))).toBe('## Plan');
  });

  it('nests a list that is alone in its item, and starts at the numbers of items', () => {
    expect(markdownOf('<ul><li>One</li><li><ul><li>Below</li></ul></li><li>Two</li></ul>')).toBe(
      '- One\n  - Below\n- Two',
    );
    expect(markdownOf('<ul><ul><li>One</li></ul></ul>')).toBe('- One');
    expect(markdownOf('<ol><li value="4">Four</li><li>Five</li><li value="9">Nine</li></ol>')).toBe(
      '4. Four\n5. Five\n\n9) Nine',
    );
  });

  it('keeps the box of a task of Google Docs that is struck through', () => {
    expect(
      markdownOf(
        '<b style="font-weight:normal;" id="docs-internal-guid-1"><ul><li role="checkbox" aria-checked="true" style="text-decoration:line-through"><p>done</p></li></ul></b>',
      ),
    ).toBe('- [x] ~~done~~');
  });

  it('keeps lines and indentation of a code element that is a block', () => {
    expect(
      markdownOf('<p>Code:</p><code><span>if (a) {</span><br><span>  b();</span><br><span>}</span></code>'),
    ).toBe('Code:\n\n```\nif (a) {\n  b();\n}\n```');
    expect(markdownOf('<pre><code>a</code>\n<code>b</code></pre>')).toBe('```\na\nb\n```');
    expect(markdownOf('<p>Run <code>a<br>b</code> now</p>')).toBe('Run `a`\\\n`b` now');
  });

  it('reads MathML without TeX, also that of MathJax, and the image of a formula of Wikipedia', () => {
    const math = (inner: string, display = '') => `<math${display}>${inner}</math>`;
    const quadratic =
      '<mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>';
    expect(
      markdownOf(
        `<p>So <mjx-container class="MathJax"><svg></svg><mjx-assistive-mml>${math(quadratic)}</mjx-assistive-mml></mjx-container>.</p>`,
      ),
    ).toBe('So $x = \\frac{− b ± \\sqrt{{b}^{2} − 4 a c}}{2 a}$.');
    expect(markdownOf(`<p>${math('<mi>X</mi><mo>~</mo><mtext>a^b</mtext>')}</p>`)).toBe(
      '$X \\sim  \\text{a\\textasciicircum{}b}$',
    );
    const sum =
      '<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>k</mi></msub><mo>&InvisibleTimes;</mo><mi>sin</mi><mover><mi>v</mi><mo>→</mo></mover>';
    expect(markdownOf(`<p>Sum:</p>${math(sum, ' display="block"')}`)).toBe(
      'Sum:\n\n$$\n∑_{k = 1}^{n} {a}_{k} \\sin \\vec{v}\n$$',
    );
    expect(
      markdownOf(
        '<p>Area <img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/9f73" alt="{\\displaystyle \\pi r^{2}}">.</p>',
      ),
    ).toBe('Area $\\pi r^{2}$.');
  });

  it('reads the equations of Word, which are in comments, as TeX', () => {
    const run = (text: string) =>
      `<i style='mso-bidi-font-style:normal'><span style='font-family:"Cambria Math",serif'><m:r>${text}</m:r></span></i>`;
    const control = `<m:ctrlPr></m:ctrlPr>`;
    const power = `<m:sSup><m:sSupPr><span>${control}</span></m:sSupPr><m:e>${run('c')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>`;
    const picture =
      '<![if !msEquation]><span><!--[if gte vml 1]><v:shape><v:imagedata src="file:///C:/a.png"/></v:shape><![endif]-->' +
      '<![if !vml]><img src="file:///C:/a.png"><![endif]></span><![endif]>';
    const equation = (omml: string) => `<!--[if gte msEquation 12]>${omml}<![endif]-->${picture}`;
    const inLine = (omml: string) =>
      markdownOf(`<p class=MsoNormal>It is ${equation(`<m:oMath>${omml}</m:oMath>`)} in joules.</p>`);
    expect(inLine(run('E=m') + power)).toBe('It is $E=m {c}^{2}$ in joules.');
    expect(
      inLine(
        `<m:nary><m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/><span>${control}</span></m:naryPr><m:sub>${run('k=1')}</m:sub><m:sup>${run('n')}</m:sup>` +
          `<m:e><m:f><m:fPr>${control}</m:fPr><m:num>${run('1')}</m:num><m:den>${run('k')}</m:den></m:f></m:e></m:nary>`,
      ),
    ).toBe('It is $∑_{k=1}^{n} \\frac{1}{k}$ in joules.');
    expect(
      inLine(
        `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr><m:e><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg></m:deg><m:e>${run('x')}</m:e></m:rad></m:e></m:d>` +
          `<m:func><m:fName>${run('sin')}</m:fName><m:e>${run('y')}</m:e></m:func>`,
      ),
    ).toBe('It is $\\left\\{ \\sqrt{x}\\right. \\sin y$ in joules.');
    expect(
      markdownOf(
        `<p class=MsoNormal>So:</p><p class=MsoNormal>${equation(`<m:oMathPara><m:oMath>${run('a=b')}</m:oMath></m:oMathPara>`)}</p><p class=MsoNormal>End</p>`,
      ),
    ).toBe('So:\n\n$$\na=b\n$$\n\nEnd');
  });

  it.each([
    ['an alphabet', '<m:r><m:rPr><m:scr m:val="double-struck"/></m:rPr><m:t>R</m:t></m:r>', '\\mathbb{R}'],
    [
      'upright letters in two runs',
      '<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>pH</m:t></m:r><m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>e</m:t></m:r>',
      '\\mathrm{pHe}',
    ],
    [
      'the name of a function',
      '<m:func><m:fName><m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>sgn</m:t></m:r></m:fName><m:e><m:r><m:t>x</m:t></m:r></m:e></m:func>',
      '\\operatorname{sgn} x',
    ],
    ['bold', '<m:r><m:rPr><m:sty m:val="b"/></m:rPr><m:t>v</m:t></m:r>', '\\mathbf{v}'],
    [
      'words with signs of TeX',
      '<m:r><m:rPr><m:nor/></m:rPr><m:t>a^b</m:t></m:r>',
      '\\text{a\\textasciicircum{}b}',
    ],
    ['primes and wide spaces', '<m:r><m:t>f′\u2003x</m:t></m:r>', "f'\\quad x"],
    [
      'a mark above several letters',
      '<m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr><m:e><m:r><m:t>AB</m:t></m:r></m:e></m:acc>',
      '\\overrightarrow{AB}',
    ],
    [
      'a mark without a command',
      '<m:acc><m:accPr><m:chr m:val="\u02dd"/></m:accPr><m:e><m:r><m:t>a</m:t></m:r></m:e></m:acc>',
      '\\overset{˝}{a}',
    ],
    [
      'a text above an arrow',
      '<m:groupChr><m:groupChrPr><m:chr m:val="→"/></m:groupChrPr><m:e><m:r><m:t>k</m:t></m:r></m:e></m:groupChr>',
      '\\xrightarrow{k}',
    ],
    [
      'limits of a big operator',
      '<m:limUpp><m:e><m:limLow><m:e><m:r><m:t>⋂</m:t></m:r></m:e><m:lim><m:r><m:t>i</m:t></m:r></m:lim></m:limLow></m:e><m:lim><m:r><m:t>n</m:t></m:r></m:lim></m:limUpp>',
      '⋂_{i}^{n}',
    ],
    [
      'a text below letters',
      '<m:limLow><m:e><m:r><m:t>x</m:t></m:r></m:e><m:lim><m:r><m:t>n</m:t></m:r></m:lim></m:limLow>',
      '\\underset{n}{x}',
    ],
    [
      'brackets that TeX does not fit',
      '<m:d><m:dPr><m:begChr m:val="⟦"/><m:endChr m:val="‖"/></m:dPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d>',
      '⟦ \\left.x\\right\\|',
    ],
    [
      'a box, and an expression that is struck out',
      '<m:borderBox><m:e><m:borderBox><m:borderBoxPr><m:hideTop m:val="1"/><m:strikeBLTR m:val="1"/></m:borderBoxPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:borderBox></m:e></m:borderBox>',
      '\\boxed{\\cancel{x}}',
    ],
    [
      'the space of what is not shown',
      '<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:phant><m:r><m:t>y</m:t></m:r>',
      '\\phantom{x} y',
    ],
    [
      'the number of an equation',
      '<m:eqArr><m:e><m:r><m:t>a=b#(1)</m:t></m:r></m:e></m:eqArr>',
      '\\begin{aligned}a=b\\qquad (1)\\end{aligned}',
    ],
  ])('reads %s in equations of Word', (_, omml, tex) => {
    expect(
      markdownOf(`<p>It is <!--[if gte msEquation 12]><m:oMath>${omml}</m:oMath><![endif]-->.</p>`),
    ).toBe(`It is $${tex}$.`);
  });

  it('keeps the alternative text of the picture of an equation that cannot be read, or says that it is missing', () => {
    const picture = (alt: string) =>
      `<![if !msEquation]><![if !vml]><img src="file:///C:/a.png"${alt}><![endif]><![endif]>`;
    expect(markdownOf(`<p class=MsoNormal>Energy is ${picture(' alt="E = m"')} in joules.</p>`)).toBe(
      'Energy is E = m in joules.',
    );
    expect(markdownOf(`<p class=MsoNormal>Energy is ${picture('')} in joules.</p>`)).toBe(
      'Energy is (formula) in joules.',
    );
  });

  it('reads the TeX beside the HTML of a formula, and scripts before a letter', () => {
    const katex =
      '<span class="katex"><span class="katex-html" aria-hidden="true"><span>E</span><span>=mc2</span></span></span>';
    expect(markdownOf(`<p>So <span class="math-inline" data-math="E=mc^2">${katex}</span>.</p>`)).toBe(
      'So $E=mc^2$.',
    );
    expect(markdownOf(`<p>So</p><div class="math-block" data-math="E=mc^2">${katex}</div>`)).toBe(
      'So\n\n$$\nE=mc^2\n$$',
    );
    const annotated = katex.replace(
      '<span class="katex-html"',
      '<math><semantics><annotation encoding="application/x-tex">a</annotation></semantics></math>$&',
    );
    expect(markdownOf(`<div data-math="true"><p>So ${annotated} and ${annotated}.</p></div>`)).toBe(
      'So $a$ and $a$.',
    );
    expect(
      markdownOf('<p>So <span data-math="E=mc^2"><span class="katex-html">E=mc2</span></span>.</p>'),
    ).toBe('So $E=mc^2$.');
    expect(markdownOf('<p data-math="true">So.</p>')).toBe('So.');
    expect(markdownOf('<p>So <span data-math="$E=mc^2$">x</span>.</p>')).toBe('So $E=mc^2$.');
    expect(
      markdownOf(
        '<p><math><mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts><mmultiscripts><mi>X</mi><mi>a</mi><none/></mmultiscripts></math></p>',
      ),
    ).toBe('${}_{6}^{14}{C} {X}_{a}$');
  });

  it.each([
    ['<pre><code class="lang-py">a</code></pre>', 'py'],
    ['<pre><code class="hljs python">a</code></pre>', 'python'],
    ['<div class="highlight highlight-source-python"><pre>a</pre></div>', 'python'],
    ['<pre class="language-js"><code>a</code></pre>', 'js'],
    ['<div><span>Python</span><div><button>Copy</button></div><pre><code>a</code></pre></div>', 'python'],
    [
      '<div><div><button>Copy</button></div><div>Python</div><div><pre><code>a</code></pre></div></div>',
      'python',
    ],
  ])('reads the language of code: %s', (html, language) => {
    expect(markdownOf(`<p>Run:</p>${html}`)).toBe(`Run:\n\n\`\`\`${language}\na\n\`\`\``);
  });

  it('keeps lines that are spans', () => {
    const line = (text: string) => `<span style="display:block">${text}</span>`;
    expect(markdownOf(`<p>${line('One')}${line('Two')}</p>`)).toBe('One\\\nTwo');
    expect(markdownOf(`<p>One ${line('Two')}\n${line('Three')}</p>`)).toBe('One\\\nTwo\\\nThree');
    expect(markdownOf(`<pre><code>${line('a')}${line('  b')}</code></pre>`)).toBe('```\na\n  b\n```');
    expect(markdownOf(`<pre><code>${line('a')}\n${line('  b')}\n</code></pre>`)).toBe('```\na\n  b\n```');
  });

  it.each([
    'background:#ff0',
    'background-color:rgb(0, 255, 0)',
    'background: #00ff00',
    'color:red;background:lime',
  ])('keeps a highlight: %s', (style) => {
    expect(markdownOf(`<p>a <span style="${style}">lit</span></p>`)).toBe('a <mark>lit</mark>');
  });

  it.each([
    'background:white',
    'background-color: rgb(255, 255, 255)',
    'background-color: rgba(0, 0, 0, 0)',
    'background:transparent',
    'background: none',
    'color: rgb(236, 236, 236); background-color: rgb(33, 33, 33); -webkit-text-stroke-width: 0px; float: none',
  ])('takes the background of the page for no highlight: %s', (style) => {
    expect(markdownOf(`<p>a <span style="${style}">plain</span></p>`)).toBe('a plain');
  });

  it('reads long Roman numbers of Word’s lists', () => {
    const items = `${wordItem('l1', 1, 'xxvii.', 'One')}${wordItem('l1', 1, 'xxviii.', 'Two')}`;
    expect(markdownOf(items)).toBe('27. One\n28. Two');
  });

  it('keeps code with a line break in its sentence', () => {
    expect(markdownOf('<ul><li>Run <code>a<br>b</code> now</li></ul>')).toContain('- Run `a`');
    expect(markdownOf('<section><code>a<br>b</code></section><section>Text</section>')).toBe(
      '```\na\nb\n```\n\nText',
    );
  });

  it('removes scripts and addresses that run one', () => {
    const html =
      '<p onclick="alert(1)">a<script>alert(1)</script> <a href="javascript:alert(1)">b</a><img src="x" onerror="alert(1)"></p>';
    expect(markdownOf(html)).toBe('a b');
  });

  it('reads lists of Word whose items are in a list by their style only', () => {
    const word = (html: string) =>
      `<html><head><style><!-- /* Styles */ p.MsoListNumber, li.MsoListNumber\n\t{margin-left:18.0pt;\n\tmso-list:l0 level1 lfo1;}\n` +
      `p.MsoListBullet {mso-list:l1 level1 lfo2;}\n@list l0:level1 {mso-level-tab-stop:18pt;}\n@list l1:level1 {mso-level-number-format:bullet;}--></style></head><body>${html}</body></html>`;
    const item = (kind: string, text: string, mark = '') =>
      `<p class=MsoList${kind}>${mark && `<![if !supportLists]><span style='mso-list:Ignore'>${mark}<span>&nbsp; </span></span><![endif]>`}${text}<o:p></o:p></p>\n`;
    const remark = '<p class=MsoNormal>A remark.</p>';
    expect(
      markdownOf(
        word(
          item('Number', 'One', '1.') +
            item('Number', 'Two', '2.') +
            item('Bullet', 'Salt', '·') +
            remark +
            item('Number', 'Three', '3.'),
        ),
      ),
    ).toBe('1. One\n2. Two\n\n- Salt\n\nA remark.\n\n3. Three');
    for (const list of [word, (html: string) => html])
      expect(
        markdownOf(
          list(
            item('Number', 'One') +
              item('Number', 'Two') +
              remark +
              item('Number', 'Three') +
              item('Bullet', 'Salt'),
          ),
        ),
      ).toBe('1. One\n2. Two\n\nA remark.\n\n3. Three\n\n- Salt');
  });

  it('reads styles that Apple’s programs and Excel name by class', () => {
    const notes =
      '<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px; font: 12.0px Courier}\nspan.s1 {vertical-align: super; font: 6px Helvetica}\n' +
      'span.s2 {text-decoration: line-through}\nspan.s3 {background-color: #fefb66}</style></head><body>' +
      '<p class="p1">10<span class="s1">6</span> <span class="s2">old</span> <span class="s3">lit</span></p></body></html>';
    expect(markdownOf(notes)).toBe('10<sup>6</sup> ~~old~~ <mark>lit</mark>');
    const excel =
      '<html><head><style><!--.xl65 {mso-style-parent:style0; font-weight:700;}\n.xl66 {text-decoration:line-through;}\n.font5 {vertical-align:super;}--></style></head>' +
      '<body><table><!--StartFragment--><tr><td class=xl65>Area</td></tr><tr><td class=xl66>100 m<font class="font5">2</font></td></tr><!--EndFragment--></table></body></html>';
    expect(markdownOf(excel)).toBe('| Area |\n| - |\n| ~~100 m<sup>2</sup>~~ |');
    expect(
      markdownOf(
        '<table><tr><td>a</td></tr><tr><td style="text-decoration:line-through">1</td></tr></table>',
      ),
    ).toBe('| a |\n| - |\n| ~~1~~ |');
  });

  it('omits comments of Word and LibreOffice, buttons and what is hidden', () => {
    const word =
      '<p class=MsoNormal>It costs 5<span class=MsoCommentReference><span><![if !supportAnnotations]><a class=msocomanchor href="#_msocom_1">[A1]</a><![endif]></span></span>.</p>' +
      `<div style='mso-element:comment-list'><hr class=msocomoff><div style='mso-element:comment'><div id="_com_1" class=msocomtxt><p class=MsoCommentText>Is it?</p></div></div></div>`;
    expect(markdownOf(word)).toBe('It costs 5.');
    expect(
      markdownOf(
        '<table><tr><td>12/09/25<a class="comment-indicator"></a><comment>check</comment></td></tr></table>',
      ),
    ).toBe('| 12/09/25 |\n| - |');
    expect(
      markdownOf(
        '<h2><button>Is it safe?</button></h2><p>Yes<span style="display:none">no</span><svg><text>1</text></svg></p><button>Copy</button>',
      ),
    ).toBe('## Is it safe?\n\nYes');
  });

  it.each([
    ['<ruby>小鳥遊<rt>たかなし</rt></ruby>さん', '小鳥遊（たかなし）さん'],
    ['<ruby>東京<rp>（</rp><rt>とうきょう</rt><rp>）</rp></ruby>は', '東京（とうきょう）は'],
    ['SO<span class="template-chem2-su"><span>2−</span><span>4</span></span>', 'SO<sup>2−</sup><sub>4</sub>'],
    [
      '<span style="display: inline-block; font-size: 80%; text-align: right;">235<br>92</span>U',
      '<sup>235</sup><sub>92</sub>U',
    ],
    [
      'Well done <img src="https://a.example/1f389.png" alt="🎉"> <img src="https://a.example/s.png" alt=":smile:">',
      'Well done 🎉 :smile:',
    ],
  ])('keeps apart what is above, below or beside a word: %s', (html, markdown) => {
    expect(markdownOf(`<p>${html}</p>`)).toBe(markdown);
  });

  it('reads code with line numbers', () => {
    const rows =
      '<td class="blob-num" data-line-number="1"></td><td class="blob-code js-file-line">if a:</td>';
    expect(
      markdownOf(
        `<table class="highlight"><tr>${rows}</tr><tr>${rows.replace('if a:', '    <span>b()</span>')}</tr></table>`,
      ),
    ).toBe('```\nif a:\n    b()\n```');
    expect(
      markdownOf(
        '<div class="language-rb highlighter-rouge"><table class="rouge-table"><tr><td class="gl"><pre class="lineno">1\n2\n</pre></td><td class="code"><pre>def a\n  1\n</pre></td></tr></table></div>',
      ),
    ).toBe('```rb\ndef a\n  1\n```');
    expect(
      markdownOf(
        '<div><span><code class="language-yaml"><span data-line="1"></span><span>a: 1\n</span><span>  b: 2\n</span></code></span></div>',
      ),
    ).toBe('```yaml\na: 1\n  b: 2\n```');
    expect(markdownOf('<table><tr><td>1</td><td>a</td></tr><tr><td>2</td><td>b</td></tr></table>')).toBe(
      '| 1 | a |\n| - | - |\n| 2 | b |',
    );
  });

  it('reads footnotes of LibreOffice, GitHub and Word’s endnotes, if mark and note are both there', () => {
    expect(
      markdownOf(
        '<p>Said<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a>.</p><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>Who said it.</p></div>',
      ),
    ).toBe('Said[^1].\n\n[^1]: Who said it.');
    const note =
      '<section class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1-ab"><p>Who. <a href="#user-content-fnref-1-ab">↩</a></p></li></ol></section>';
    const mark = '<p>Said<sup><a href="#user-content-fn-1-ab">1</a></sup>.</p>';
    expect(markdownOf(mark + note)).toBe('Said[^1].\n\n[^1]: Who.');
    expect(markdownOf(mark)).toBe('Said<sup>1</sup>.');
    const page = 'href="https://a.example/read#';
    expect(markdownOf((mark + note).replaceAll('href="#', page))).toBe('Said[^1].\n\n[^1]: Who.');
    expect(markdownOf(`<p><a ${page}fn-1">Part</a></p>`)).toBe('[Part](https://a.example/read#fn-1)');
    expect(
      markdownOf(
        '<p class=MsoNormal>Said<a href="#_ftn1" name="_ftnref1">[1]</a><a href="#_edn1" name="_ednref1">[i]</a>.</p><p><a href="#_ftnref1">[1]</a> Who.</p><p><a href="#_ednref1">[i]</a> When.</p>',
      ),
    ).toBe('Said[^1][^e1].\n\n[^1]: Who.\n\n[^e1]: When.');
  });

  it('reads the headings of Word for the web, tasks of Confluence, lists of Slack and those that count down', () => {
    expect(markdownOf('<div><p role="heading" aria-level="2">Plan</p></div>')).toBe('## Plan');
    expect(
      markdownOf(
        '<div data-node-type="actionList"><div data-task-local-id="1" data-task-state="TODO">open</div><div data-task-state="DONE">done</div></div>',
      ),
    ).toBe('- [ ] open\n- [x] done');
    const slack = (tag: string, indent: number, text: string) =>
      `<${tag} data-indent="${indent}"><li data-stringify-indent="${indent}">${text}</li></${tag}>`;
    expect(
      markdownOf(slack('ol', 0, 'One') + slack('ul', 1, 'Below') + slack('ol', 0, 'Two') + '<p>End</p>'),
    ).toBe('1. One\n   - Below\n2. Two\n\nEnd');
    expect(markdownOf('<ol reversed><li>bronze</li><li>silver</li></ol>')).toBe('2. bronze\n\n1) silver');
  });

  it('keeps the number of a heading of Word', () => {
    expect(
      markdownOf(
        `<h1 style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1<span>&nbsp; </span></span><![endif]>Scope</h1>`,
      ),
    ).toBe('# 1 Scope');
  });
});
