import { describe, expect, it } from '@jest/globals';
import { paragraph, run, table, wordFile, type WordParts } from '../../../test/support/word.js';
import { readWord } from './read-word.js';
import { replaceLines } from './replace-lines.js';
import { unpack } from './zip-parts.js';

const LIMITS = { partBytes: 1_000_000, totalBytes: 1_000_000 };
const partsOf = async (file: Uint8Array) =>
  (await unpack(Buffer.from(file), () => true, LIMITS)).parts as Map<string, Buffer>;
const MAIN = 'word/document.xml';

/** Replaces lines, given as pairs of words and new text, and reads the document again. */
async function replace(body: string, lines: [source: string, text: string][], other?: WordParts) {
  const bytes = await wordFile(body, other);
  const result = await replaceLines(
    bytes,
    lines.map(([source, text]) => ({ source, text })),
  );
  const pages = (await readWord(Buffer.from(result.file))).pages.join('\n');
  return { ...result, bytes, text: pages, xml: String((await partsOf(result.file)).get(MAIN)) };
}

describe('replacing lines of a Word document', () => {
  it('writes a line over its runs, in the format of the first, and changes nothing else', async () => {
    const properties = '<w:pStyle w:val="List"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
    const line = `${run('Moved all ', '<w:color w:val="112233"/>')}${run('services', '<w:b/>')}${run(' to Kubernetes.')}`;
    const before = paragraph('Ann Lee') + paragraph('Built tools.');
    const after = table([[paragraph('Languages'), paragraph('Go, SQL')]]);
    const files = {
      'word/media/photo.png': Buffer.from([0x89, 0, 1, 2]),
      'docProps/app.xml': '<Properties/>',
    };
    const { bytes, file, xml, text, replaced, missing } = await replace(
      before + paragraph(line, properties) + after,
      [['Moved all services to Kubernetes', 'Ran R&D on <Kubernetes>']],
      { files, parts: { styles: '<w:styles></w:styles>' } },
    );
    expect(replaced).toEqual([
      { source: 'Moved all services to Kubernetes.', text: 'Ran R&D on <Kubernetes>.' },
    ]);
    expect(missing).toEqual([]);
    expect(text).toContain('Ran R&D on <Kubernetes>.');
    expect(text).not.toContain('services');
    const old = await partsOf(bytes);
    const now = await partsOf(file);
    expect([...now.keys()]).toEqual([...old.keys()]);
    for (const [name, content] of old) if (name !== MAIN) expect(now.get(name)).toEqual(content);
    const [start, end] = String(old.get(MAIN)).split(line) as [string, string];
    expect(xml.startsWith(start)).toBe(true);
    expect(xml.endsWith(end)).toBe(true);
    expect(xml.slice(start.length, xml.length - end.length)).toBe(
      run('Ran R&amp;D on &lt;Kubernetes&gt;.', '<w:color w:val="112233"/>') +
        '<w:r><w:rPr><w:b/></w:rPr></w:r><w:r></w:r>',
    );
  });

  it('tells the lines that it did not find, and returns the same file if it found none', async () => {
    const lines: [string, string][] = [
      ['Led a team of nine people', 'Led nine people'],
      ['a', 'b'],
    ];
    const { file, bytes, replaced, missing } = await replace(paragraph('Built a tool.'), lines);
    expect(missing).toEqual(['Led a team of nine people', 'a']);
    expect(replaced).toEqual([]);
    expect(Buffer.compare(Buffer.from(file), bytes)).toBe(0);
  });

  it('replaces the sentence of a paragraph that has the words, and the line between tabs and breaks', async () => {
    const tab = '<w:r><w:tab/></w:r>';
    const body =
      paragraph('Joined in May. Tuned the queries of Dr. Ito by 85%. Left in June.') +
      paragraph(`${run('•')}${tab}${run('Wrote the images of Docker')}`) +
      paragraph(`${run('Senior Engineer')}${tab}${run('2018 - 2020')}<w:r><w:br/></w:r>${run('Acme')}`);
    const { text, missing } = await replace(body, [
      ['the queries of Dr. Ito', 'Made queries fast'],
      ['Wrote the images of Docker', 'Wrote images'],
      ['Senior Engineer', 'Staff Engineer'],
    ]);
    expect(missing).toEqual([]);
    expect(text).toContain('Joined in May. Made queries fast. Left in June.');
    expect(text).toMatch(/Wrote images$/m);
    expect(text).toMatch(/Staff Engineer\s+2018 - 2020\s+Acme/);
  });

  it('finds a line by its words without the number that Word counts', async () => {
    const { text, replaced } = await replace(paragraph('Built a tool.') + paragraph('See Dr. Ito'), [
      ['2. Built a tool.', '2. Built two tools.'],
      ['See Dr. Ito', 'a) See Dr. Ito again'],
    ]);
    expect(replaced).toHaveLength(2);
    expect(text).toMatch(/^Built two tools\.\s+a\) See Dr\. Ito again$/);
  });

  it('replaces each line once, and the same line twice only if it was sent twice', async () => {
    const body = paragraph('Mentored juniors') + paragraph('Acme') + paragraph('Mentored juniors');
    const once = await replace(body, [['Mentored juniors', 'Mentored four']]);
    expect(once.text).toMatch(/Mentored four[^]*Acme[^]*Mentored juniors/);
    const thrice = await replace(
      body,
      ['four', 'five', 'six'].map((count) => ['Mentored juniors', `Mentored ${count}`]),
    );
    expect(thrice.text).toMatch(/Mentored four[^]*Acme[^]*Mentored five/);
    expect(thrice.missing).toEqual(['Mentored juniors']);
  });

  it('leaves hidden and deleted text and links as they are', async () => {
    const hidden = run('Built a hidden tool', '<w:vanish/>');
    const deleted = `<w:del w:id="2" w:author="A"><w:r><w:delText>Built an old tool</w:delText></w:r></w:del>`;
    const link = `<w:hyperlink w:anchor="x">${run('Relay')}</w:hyperlink>`;
    const { xml, text } = await replace(paragraph(`${hidden}${deleted}${link}${run(' moves the files')}`), [
      ['Relay moves the files', 'Relay moves 4 TB'],
    ]);
    expect(text).toBe('Relay moves 4 TB');
    expect(xml).toContain(hidden + deleted);
    expect(xml).toMatch(/<\/w:hyperlink><w:r><w:t xml:space="preserve">Relay moves 4 TB</);
  });

  it('replaces a line of a text box in the versions for new and old Word', async () => {
    const box = `<w:txbxContent>${paragraph('Spoke at a fair')}</w:txbxContent>`;
    const drawing = `<w:r><mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r>`;
    const { xml, text } = await replace(paragraph(`${run('Ann Lee')}${drawing}`), [
      ['Spoke at a fair', 'Spoke at two fairs'],
    ]);
    expect(xml.split('Spoke at two fairs')).toHaveLength(3);
    expect(text).toContain('Ann Lee');
  });
});
