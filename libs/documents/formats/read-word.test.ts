import { describe, expect, it } from '@jest/globals';
import { externalRelationship, paragraph, run, table, wordFile } from '../../../test/support/word.js';
import { readWord } from './read-word.js';

const textOf = async (...file: Parameters<typeof wordFile>) =>
  (await readWord(await wordFile(...file))).pages.join('\n=====\n');

describe('a Word document', () => {
  it('is read with its changes accepted, without hidden text', async () => {
    const inserted = `<w:ins w:id="1" w:author="A">${run('new ')}</w:ins>`;
    const deleted = `<w:del w:id="2" w:author="A"><w:r><w:delText>old </w:delText></w:r></w:del>`;
    const hidden = run('secret ', '<w:vanish/>');
    expect(await textOf(paragraph(`${run('The ')}${inserted}${deleted}${hidden}${run('rate.')}`))).toBe(
      'The new rate.',
    );
    const joined = paragraph('One half ', '<w:rPr><w:del w:id="3"/></w:rPr>') + paragraph('and the other.');
    expect(await textOf(joined)).toBe('One half and the other.');
    expect(await textOf(`${paragraph('Kept.')}<w:moveFrom>${paragraph('Moved.')}</w:moveFrom>`)).toBe(
      'Kept.',
    );
  });

  it('has comments with their author, and notes below their paragraph', async () => {
    const body =
      paragraph(`${run('The rate is high.')}<w:r><w:commentReference w:id="7"/></w:r>`) +
      paragraph(`${run('It is 4%.')}<w:r><w:footnoteReference w:id="2"/></w:r>`);
    const comments = `<w:comments><w:comment w:id="7" w:author="Ann Lee">${paragraph('Too high?')}</w:comment></w:comments>`;
    const footnotes = `<w:footnotes><w:footnote w:id="2">${paragraph('Since May.')}</w:footnote></w:footnotes>`;
    expect(await textOf(body, { parts: { comments, footnotes } })).toBe(
      'The rate is high.\n\n[Comment by Ann Lee: Too high?]\n\nIt is 4%.\n\n[Note 1: Since May.]',
    );
  });

  it('has the text of text boxes once, and those of headers and footers', async () => {
    const box = `<w:txbxContent>${paragraph('Skills: SQL')}</w:txbxContent>`;
    const drawing = `<w:r><mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r>`;
    const margins =
      '<w:sectPr><w:headerReference r:id="header"/><w:footerReference r:id="footer"/></w:sectPr>';
    const file = await wordFile(paragraph(`${run('Ann Lee')}${drawing}`) + margins, {
      parts: {
        header: `<w:hdr>${paragraph('ann@example.org')}</w:hdr>`,
        footer: `<w:ftr>${paragraph('Page 1 of 2')}${paragraph('Confidential')}</w:ftr>`,
      },
    });
    const { pages, places } = await readWord(file);
    expect(pages).toEqual(['ann@example.org\nAnn Lee\nSkills: SQL\nConfidential']);
    expect(places).toEqual({ hasTextBoxes: true, hasLayoutTables: false, hasHeader: true });
  });

  it('has the numbers of its clauses and the levels of its headings', async () => {
    const level = (ilvl: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${ilvl}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '·')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const styles = `<w:styles><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Own"><w:basedOn w:val="H1"/></w:style></w:styles>`;
    const numbered = (ilvl: number, numId: number) =>
      `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${numId}"/></w:numPr>`;
    const body = [
      paragraph('Lease', '<w:pStyle w:val="Own"/>'),
      paragraph('Rent', numbered(0, 1)),
      paragraph('monthly', numbered(1, 1)),
      paragraph('in advance', numbered(1, 1)),
      paragraph('Deposit', numbered(0, 1)),
      paragraph('keys', numbered(0, 2)),
    ].join('');
    const { pages, headings } = await readWord(await wordFile(body, { parts: { numbering, styles } }));
    expect(pages).toEqual(['Lease\n\n1. Rent\n1.a) monthly\n1.b) in advance\n2. Deposit\n• keys']);
    expect(headings).toEqual([{ title: 'Lease', page: 1, level: 1 }]);
  });

  it('has its tables of values as tables, and the cells of other tables in order', async () => {
    const values = table([
      [paragraph('Item'), paragraph('Price')],
      [paragraph('Jug | large'), paragraph('')],
    ]);
    expect(await textOf(values)).toBe('| Item | Price |\n| --- | --- |\n| Jug \\| large | |');
    const sideBySide = table([
      [
        paragraph('Skills') + paragraph('• SQL') + paragraph('• Go'),
        paragraph('Work') + paragraph('Led a team.'),
      ],
    ]);
    const { pages, places } = await readWord(await wordFile(sideBySide));
    expect(pages).toEqual(['Skills\n\n• SQL\n• Go\n\nWork\nLed a team.']);
    expect(places.hasLayoutTables).toBe(true);
  });

  it('has the pages that Word stored, and otherwise pages of its text’s length', async () => {
    const stored = paragraph(`${run('One.')}<w:r><w:br w:type="page"/></w:r>`).concat(
      paragraph(`<w:r><w:lastRenderedPageBreak/></w:r>${run('Two.')}`),
    );
    expect(await readWord(await wordFile(stored))).toMatchObject({ pages: ['One.', 'Two.'], hasPages: true });
    const long = await readWord(await wordFile(paragraph('word '.repeat(100)).repeat(20)));
    expect(long.hasPages).toBe(false);
    expect(long.pages).toHaveLength(3);
    expect(Math.max(...long.pages.map(({ length }) => length))).toBeLessThan(4_000);
  });

  it.each([
    ['macros', { files: { 'word/vbaProject.bin': 'x' } }, /macros/],
    [
      'a picture elsewhere',
      { relationships: externalRelationship('image', 'https://example.org/a.png') },
      /elsewhere/,
    ],
    [
      'a template elsewhere',
      { relationships: externalRelationship('attachedTemplate', '\\\\host\\a.dotm') },
      /elsewhere/,
    ],
  ])('is refused with %s', async (_, parts, message) => {
    await expect(textOf(paragraph('Text.'), parts)).rejects.toMatchObject({
      code: 'UNREADABLE_DOCUMENT',
      message: expect.stringMatching(message),
    });
  });

  it('is read with hyperlinks and with the path of its template', async () => {
    const relationships =
      externalRelationship('hyperlink', 'https://example.org') +
      externalRelationship('attachedTemplate', 'file:///C:\\Users\\ann\\Normal.dotm');
    expect(await textOf(paragraph('Text.'), { relationships })).toBe('Text.');
  });

  it.each([
    ['entities', '<!DOCTYPE a [<!ENTITY a "b">]><w:document/>'],
    ['broken XML', '<w:document><w:body>'],
  ])('is refused with %s', async (_, xml) => {
    const file = await wordFile('', { files: { 'word/document.xml': xml } });
    await expect(readWord(file)).rejects.toMatchObject({ code: 'UNREADABLE_DOCUMENT' });
  });

  it('is refused if it is nested too deeply', async () => {
    const deep = '<w:ins>'.repeat(1_000) + paragraph('x') + '</w:ins>'.repeat(1_000);
    await expect(textOf(deep)).rejects.toMatchObject({ code: 'UNREADABLE_DOCUMENT', message: /complex/ });
  });

  it('is refused if it unpacks to gigabytes, whatever size it states', async () => {
    const file = await wordFile(paragraph('x'), {
      files: { 'word/bomb.xml': Buffer.alloc(60 * 2 ** 20, 0x20) },
    });
    const directory = file.lastIndexOf('PK\x01\x02');
    file.writeUInt32LE(100, directory + 24);
    expect(file.length).toBeLessThan(200_000);
    await expect(readWord(file)).rejects.toMatchObject({ code: 'UNREADABLE_DOCUMENT', message: /too large/ });
  });
});
