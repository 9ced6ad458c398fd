/** @jest-environment ./test/web/dom-environment.mjs */
import { Blob as NodeBlob } from 'node:buffer';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  ImportedXmlComponent,
  Math,
  MathRun,
  MathSuperScript,
  Packer,
  Paragraph,
  SimpleField,
  Table,
  TableCell,
  TableRow,
  TextRun,
  type ParagraphChild,
} from 'docx';
import { undo } from 'prosemirror-history';
import { toDocx } from '../export/to-docx';
import { TextView } from './text-view';
import { importFile } from './import-file';

let editor: TextView;
const open = (text: string) =>
  (editor = new TextView(document.body.appendChild(document.createElement('div')), {
    text,
    onUpdate: () => undefined,
    onKey: () => false,
    onSlashItem: () => undefined,
    onFormula: () => undefined,
    onFiles: () => undefined,
  }));
const fileOf = (name: string, ...parts: (string | Uint8Array<ArrayBuffer>)[]) => {
  const file = new File(parts, name);
  // jsdom has no `arrayBuffer` of files.
  // A copy, since mammoth refuses an ArrayBuffer of another realm.
  const bytes = new NodeBlob(parts)
    .arrayBuffer()
    .then((buffer) => Uint8Array.from(new Uint8Array(buffer)).buffer);
  return Object.assign(file, { arrayBuffer: () => bytes });
};

/** jsdom has no `arrayBuffer` of blobs. */
const bytesOf = (blob: Blob) =>
  new Promise<Uint8Array<ArrayBuffer>>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(Uint8Array.from(new Uint8Array(reader.result as ArrayBuffer)));
    reader.readAsArrayBuffer(blob);
  });

/** Formulas on lines of their own, which the library cannot write. */
const mathParagraph = (...formulas: string[]) =>
  ImportedXmlComponent.fromXmlString(
    `<m:oMathPara>${formulas.map((text) => `<m:oMath><m:r><m:t>${text}</m:t></m:r></m:oMath>`).join('')}</m:oMathPara>`,
  ) as unknown as ParagraphChild;

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

afterEach(() => {
  editor.destroy();
  document.body.replaceChildren();
});

describe('an imported file', () => {
  it('of Markdown is inserted after the block of the cursor, and removed by one undo', async () => {
    open('First.\n\nLast.');
    const file = fileOf('notes.md', '# Notes\r\n\r\n- $x$\r\n- **b**\r\n');
    expect(await importFile(editor, file)).toEqual({ inserted: true, message: '“notes.md” is inserted.' });
    expect(editor.read()).toBe('First.\n\n# Notes\n\n- $x$\n- **b**\n\nLast.');
    undo(editor.view.state, editor.view.dispatch);
    expect(editor.read()).toBe('First.\n\nLast.');
  });

  it('takes the place of an empty text', async () => {
    open('');
    expect(await importFile(editor, fileOf('notes.md', 'Notes'))).toMatchObject({ inserted: true });
    expect(editor.read()).toBe('Notes');
  });

  it('of Word keeps headings and emphasis, and names what it loses', async () => {
    open('First.');
    const children = [
      new Paragraph({ text: 'Plan', heading: HeadingLevel.HEADING_1 }),
      new Paragraph({
        children: [new TextRun('Some '), new TextRun({ text: 'bold', bold: true }), new TextRun(' words.')],
      }),
      new Paragraph({
        children: [
          new TextRun('Two pictures'),
          ...[1, 2].map(
            () => new ImageRun({ type: 'png', data: png, transformation: { width: 1, height: 1 } }),
          ),
        ],
      }),
    ];
    const bytes = await Packer.toBuffer(new Document({ sections: [{ children }] }));
    expect((await importFile(editor, fileOf('plan.docx', new Uint8Array(bytes)))).message).toBe(
      '“plan.docx” is inserted, without 2 pictures.',
    );
    expect(editor.read()).toBe('First.\n\n# Plan\n\nSome **bold** words.\n\nTwo pictures');
  });

  it('of Word keeps its formulas, also in tables and notes', async () => {
    open('');
    const power = () =>
      new Math({
        children: [new MathSuperScript({ children: [new MathRun('x')], superScript: [new MathRun('2')] })],
      });
    const children = [
      new Paragraph({
        children: [
          new TextRun('If '),
          power(),
          new TextRun(' is 4'),
          new FootnoteReferenceRun(1),
          new TextRun(':'),
        ],
      }),
      new Paragraph({ children: [mathParagraph('a=b', 'c=d')] }),
      new Paragraph({ children: [mathParagraph('e')] }),
      new Table({
        rows: [
          new TableRow({ children: [new TableCell({ children: [new Paragraph({ children: [power()] })] })] }),
        ],
      }),
    ];
    const footnotes = { 1: { children: [new Paragraph({ children: [new TextRun('Not '), power()] })] } };
    const bytes = await Packer.toBuffer(new Document({ footnotes, sections: [{ children }] }));
    expect((await importFile(editor, fileOf('sums.docx', new Uint8Array(bytes)))).message).toBe(
      '“sums.docx” is inserted.',
    );
    expect(editor.read()).toBe(
      [
        'If ${x}^{2}$ is 4[^1]:',
        '$$\n\\begin{gathered}a=b \\\\ c=d\\end{gathered}\n$$',
        '$$\ne\n$$',
        '| ${x}^{2}$ |\n| - |',
        '[^1]: Not ${x}^{2}$',
      ].join('\n\n'),
    );
  });

  it('of Word keeps highlights, and the blocks and columns of its tables', async () => {
    open('');
    const cell = (children: Paragraph[], rowSpan = 1) => new TableCell({ children, rowSpan });
    const rows = [
      [cell([new Paragraph('A')]), cell([new Paragraph('B')]), cell([new Paragraph('C')])],
      [
        cell([new Paragraph({ text: 'One', heading: HeadingLevel.HEADING_2 }), new Paragraph('more')]),
        cell([new Paragraph('2')], 2),
        cell([new Paragraph('3')]),
      ],
      [cell([new Paragraph('4')]), cell([new Paragraph('5')])],
    ];
    const children = [
      new Paragraph({ children: [new TextRun('Some '), new TextRun({ text: 'lit', highlight: 'green' })] }),
      new Table({ rows: rows.map((cells) => new TableRow({ children: cells })) }),
    ];
    const bytes = await Packer.toBuffer(new Document({ sections: [{ children }] }));
    await importFile(editor, fileOf('plan.docx', new Uint8Array(bytes)));
    expect(editor.read()).toBe(
      'Some <mark>lit</mark>\n\n| A | B | C |\n| - | - | - |\n| One<br>more | 2 | 3 |\n| 4 | | 5 |',
    );
  });

  it('of Word keeps the numbers of its lists, its notes and its code', async () => {
    open('');
    const item = (text: string, instance = 0, level = 0) =>
      new Paragraph({ text, numbering: { reference: 'steps', level, instance } });
    const children = [
      item('One'),
      item('Below', 0, 1),
      item('Two'),
      new Paragraph('A remark.'),
      item('Three'),
      item('Below again', 0, 1),
      item('Another list', 1),
      new Paragraph({ children: [new TextRun('Said'), new FootnoteReferenceRun(1), new TextRun('.')] }),
      new Paragraph({ text: 'if (a)', style: 'code' }),
      new Paragraph({ text: '  b();', style: 'code' }),
    ];
    const levels = [0, 1].map((level) => ({ level, format: 'decimal' as const, text: `%${level + 1}.` }));
    const bytes = await Packer.toBuffer(
      new Document({
        numbering: { config: [{ reference: 'steps', levels }] },
        styles: { paragraphStyles: [{ id: 'code', name: 'HTML Preformatted' }] },
        footnotes: {
          1: {
            children: [
              new Paragraph({
                children: [new TextRun({ text: 'Who', bold: true }), new TextRun(' said it.')],
              }),
            ],
          },
        },
        sections: [{ children }],
      }),
    );
    await importFile(editor, fileOf('plan.docx', new Uint8Array(bytes)));
    expect(editor.read()).toBe(
      [
        '1. One\n   1. Below\n2. Two',
        'A remark.',
        '3. Three\n   1. Below again',
        '1) Another list',
        'Said[^1].',
        '```\nif (a)\n  b();\n```',
        '[^1]: **Who** said it.',
      ].join('\n\n'),
    );
  });

  it('of Word keeps the numbers of a list with bullets of another list in it', async () => {
    open('');
    const item = (text: string, reference: string, level: number) =>
      new Paragraph({ text, numbering: { reference, level } });
    const children = ['One', 'Two'].flatMap((step) => [
      item(step, 'steps', 0),
      item('a', 'bullets', 1),
      item('b', 'bullets', 1),
    ]);
    const levels = (format: 'decimal' | 'bullet') => [0, 1].map((level) => ({ level, format, text: '•' }));
    const bytes = await Packer.toBuffer(
      new Document({
        numbering: {
          config: [
            { reference: 'steps', levels: levels('decimal') },
            { reference: 'bullets', levels: levels('bullet') },
          ],
        },
        sections: [{ children }],
      }),
    );
    await importFile(editor, fileOf('plan.docx', new Uint8Array(bytes)));
    expect(editor.read()).toBe('1. One\n   - a\n   - b\n2. Two\n   - a\n   - b');
  });

  it('of Word keeps the numbers of figures, line ends, readings, large first letters and columns that a row leaves out', async () => {
    open('');
    const xml = (text: string) => ImportedXmlComponent.fromXmlString(text) as unknown as ParagraphChild;
    const row = (...texts: string[]) =>
      new TableRow({
        children: texts.map((text) => new TableCell({ children: [new Paragraph(text)] })),
      });
    const late = row('2', '3');
    late.addChildElement(ImportedXmlComponent.fromXmlString('<w:trPr><w:gridBefore w:val="1"/></w:trPr>'));
    const children = [
      new Paragraph({
        children: [new TextRun('Figure '), new SimpleField('SEQ Figure', '1'), new TextRun(': Boats')],
      }),
      new Paragraph({ children: [xml('<w:r><w:t>1 High St</w:t><w:cr/><w:t>Bergen</w:t></w:r>')] }),
      new Paragraph({
        children: [
          xml('<w:bdo w:val="rtl"><w:r><w:t>שלום</w:t></w:r></w:bdo>'),
          xml(
            '<w:r><w:ruby><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby></w:r>',
          ),
        ],
      }),
      new Paragraph({
        children: [xml('<w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>'), new TextRun('O')],
      }),
      new Paragraph({ children: [new TextRun('nce upon')], keepLines: true }),
      new Table({ rows: [row('A', 'B', 'C'), late] }),
    ];
    const bytes = await Packer.toBuffer(new Document({ sections: [{ children }] }));
    expect((await importFile(editor, fileOf('plan.docx', new Uint8Array(bytes)))).message).toBe(
      '“plan.docx” is inserted.',
    );
    expect(editor.read()).toBe(
      [
        'Figure 1: Boats',
        '1 High St\\\nBergen',
        'שלום東京（とうきょう）',
        'Once upon',
        '| A | B | C |\n| - | - | - |\n| | 2 | 3 |',
      ].join('\n\n'),
    );
  });

  it('of Word that the export wrote is the text again', async () => {
    open('');
    const text = [
      '# Plan',
      'Run `npm test` now.',
      '> A quoted line.',
      '```\nif (a) {\n  b();\n}\n```',
      '- [ ] open\n- [x] done\n  - [ ] deeper\n- plain',
      '1. first\n2. second',
      '| a | c |\n| - | - |\n| 1 | `2` |',
    ].join('\n\n');
    await importFile(editor, fileOf('plan.docx', await bytesOf(await toDocx(text, 'Plan'))));
    expect(editor.read()).toBe(text);
  });

  it('of Word that pandoc wrote keeps tasks, and the paragraphs of an item', async () => {
    open('');
    const bullets = { done: '☒', open: '☐', more: ' ' };
    const item = (text: string, reference: keyof typeof bullets, level = 0) =>
      new Paragraph({ text, numbering: { reference, level } });
    const children = [
      item('One', 'done'),
      item('Its remark', 'more'),
      item('Two', 'open'),
      item('Below', 'done', 1),
    ];
    const config = Object.entries(bullets).map(([reference, text]) => ({
      reference,
      levels: [0, 1].map((level) => ({ level, format: 'bullet' as const, text })),
    }));
    const bytes = await Packer.toBuffer(new Document({ numbering: { config }, sections: [{ children }] }));
    await importFile(editor, fileOf('tasks.docx', new Uint8Array(bytes)));
    expect(editor.read()).toBe('- [x] One\n\n  Its remark\n- [ ] Two\n  - [x] Below');
  });

  it.each([
    ['a.pdf', 'x', 'Choose a Word document'],
    ['a.md', '', 'is empty'],
    ['a.md', ' \n', 'has no text'],
    ['a.md', 'a\0b', 'is not a text'],
    ['a.md', '*'.repeat(3_000), 'too long'],
    ['a.md', '$x$ '.repeat(1_001), 'too many formulas'],
    ['a.md', 'x'.repeat(5 * 1024 * 1024 + 1), 'too large: 5.1 MB'],
    ['a.docx', 'no ZIP', 'is not a Word document'],
    ['a.docx', 'PK\u0003\u0004 damaged', 'cannot be read'],
  ])('%s of unusable content is refused and changes nothing', async (name, content, message) => {
    open('First.');
    const imported = await importFile(editor, fileOf(name, content));
    expect(imported.inserted).toBe(false);
    expect(imported.message).toContain(message);
    expect(editor.read()).toBe('First.');
  });
});
