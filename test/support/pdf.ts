import { createRequire } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';

export interface PdfPage {
  text?: string;
  /** Set larger, above the text. */
  heading?: string;
  /** Texts next to each other, below the text, in sequence in the file. */
  columns?: string[];
  /** Rows of cells, below the text, row after row in the file; of the last cell the end is aligned, not the start. */
  table?: string[][];
  /** A line of text from the bottom to the top of the page. */
  sideways?: string;
  /** How far viewers turn the page clockwise. */
  rotate?: 90 | 180 | 270;
  /** An image of text, as a scanner makes it, without a text layer. */
  scan?: boolean;
}

export interface PdfOptions {
  /** The password that opens the file; null and '' for none. */
  password?: string;
  /** Encrypts the file, which opens without a password, as files that only forbid copying. */
  ownerPassword?: string;
  title?: string;
  /** Points; 11 by default. */
  fontSize?: number;
}

const A4 = { width: 595.28, height: 841.89 };
const MARGIN = 56;

const require = createRequire(import.meta.url);

/** A font for each kind of writing; the first that matches a run of text sets it. */
const fonts: { name: string; path: string; writes: RegExp; rightToLeft?: boolean }[] = [
  {
    name: 'cjk',
    path: require.resolve('@fontsource/dotgothic16/files/dotgothic16-japanese-400-normal.woff'),
    writes: /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/u,
  },
  {
    name: 'hebrew',
    path: require.resolve('@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff'),
    writes: /\p{Script=Hebrew}/u,
    rightToLeft: true,
  },
  {
    name: 'arabic',
    path: require.resolve('@fontsource/amiri/files/amiri-arabic-400-normal.woff'),
    writes: /\p{Script=Arabic}/u,
    rightToLeft: true,
  },
];

/**
 * A PDF with one page for each entry; `\n` starts a new line. Latin, Chinese and Japanese, Hebrew and Arabic text
 * are set with real fonts, one kind of writing in each line (next to Hebrew and Arabic letters there are no Western
 * digits and punctuation). `''` is a page without text.
 * @throws when a text does not fit its page, since the pages after it would have other numbers
 */
export async function makePdf(pages: (string | PdfPage)[], options: PdfOptions = {}): Promise<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [A4.width, A4.height],
    margin: MARGIN,
    info: { Title: options.title ?? '', CreationDate: new Date(0) },
    userPassword: options.password,
    ownerPassword: options.ownerPassword,
    pdfVersion: options.password || options.ownerPassword ? '1.7' : '1.3',
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  let added = 0;
  document.on('pageAdded', () => (added += 1));
  const ended = new Promise((resolve, reject) => document.once('end', resolve).once('error', reject));

  for (const [index, entry] of pages.entries()) {
    const page = typeof entry === 'string' ? { text: entry } : entry;
    document.addPage();
    if (page.scan) document.image(pictureOfWriting(), MARGIN, MARGIN, { width: A4.width - 2 * MARGIN });
    for (const line of page.heading?.split('\n') ?? []) writeLine(document, line, 18);
    for (const line of page.text?.split('\n') ?? []) writeLine(document, line, options.fontSize ?? 11);
    writeColumns(document, page.columns ?? [], options.fontSize ?? 11);
    for (const row of page.table ?? []) writeRow(document, row, options.fontSize ?? 11);
    if (page.sideways) {
      document.save().rotate(-90, { origin: [A4.width / 2, A4.height / 2] });
      document.text(page.sideways, A4.width / 2, A4.height / 2, { lineBreak: false }).restore();
    }
    if (page.rotate) Object.assign(document.page.dictionary.data, { Rotate: page.rotate });
    if (added > index + 1) throw new Error(`The text of page ${index + 1} does not fit.`);
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function writeLine(document: PDFKit.PDFDocument, line: string, size: number) {
  const special = fonts.find(({ writes }) => writes.test(line));
  document.font(special?.path ?? 'Helvetica').fontSize(size);
  if (line === '') document.moveDown();
  // `rtla` has a line laid out as one run; word by word, its words would stand in the wrong order.
  else if (special?.rightToLeft) document.text(line, { align: 'right', features: ['rtla'] });
  else document.text(line);
}

const GUTTER = 24;

function writeColumns(document: PDFKit.PDFDocument, columns: string[], size: number) {
  const top = document.y;
  const width = (A4.width - 2 * MARGIN - GUTTER * (columns.length - 1)) / columns.length;
  document.font('Helvetica').fontSize(size);
  for (const [k, text] of columns.entries()) {
    document.text(text, MARGIN + k * (width + GUTTER), top, { width });
  }
}

function writeRow(document: PDFKit.PDFDocument, cells: string[], size: number) {
  const top = document.y;
  const width = (A4.width - 2 * MARGIN) / cells.length;
  document.font('Helvetica').fontSize(size);
  for (const [k, text] of cells.entries()) {
    const isLast = k > 0 && k === cells.length - 1;
    document.text(text, MARGIN + k * width, top, {
      width,
      lineBreak: false,
      align: isLast ? 'right' : 'left',
    });
    if (isLast) document.moveDown();
  }
  document.x = MARGIN;
}

/** Grey bars on white, as a PNG. */
function pictureOfWriting(width = 400, height = 560): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(width + 1, 255);
    row[0] = 0;
    if (y % 20 >= 12) for (let x = 20; x < width - 20; x += 1) if ((x * 7 + y * 3) % 31 > 6) row[x + 1] = 60;
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
