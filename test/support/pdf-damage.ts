import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { assemble } from './pdf-objects.ts';

/** A PDF that looks whole at both ends and is broken between: its pages cannot be found. */
export function brokenPdf(): Buffer {
  return Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Kids');
}

/**
 * Damages a file as a bad disk would: a few bytes changed, a stretch lost or doubled, or the end cut off. The same
 * seed gives the same damage.
 */
export function damage(file: Buffer, seed: number): Buffer {
  const random = numbers(seed);
  const at = (limit: number) => Math.floor(random() * limit);
  const damaged = Buffer.from(file);
  const kind = at(4);
  if (kind === 0) return damaged.subarray(0, at(file.length));
  if (kind === 1) {
    const start = at(file.length);
    return Buffer.concat([damaged.subarray(0, start), damaged.subarray(start + 1 + at(400))]);
  }
  if (kind === 2) {
    const start = at(file.length);
    return Buffer.concat([damaged.subarray(0, start + at(400)), damaged.subarray(start)]);
  }
  for (let count = 1 + at(40); count > 0; count -= 1) damaged[at(file.length)] = at(256);
  return damaged;
}

/** A small PDF with one page whose drawing inflates to `megabytes` of text commands. */
export function pdfBomb(megabytes: number): Buffer {
  const command = Buffer.from('(boom) Tj 0 -1 Td\n');
  const drawing = Buffer.alloc(megabytes * 1024 * 1024, command);
  const stream = deflateSync(
    Buffer.concat([Buffer.from('BT /F1 1 Tf 10 800 Td\n'), drawing, Buffer.from('ET')]),
  );
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    [`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`, stream, '\nendstream'],
  ]);
}

/** A small PDF whose font inflates to `megabytes`: unlike a drawing, it is read into memory at once. */
export function pdfFontBomb(megabytes: number): Buffer {
  const font = deflatedZeros(megabytes);
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /TrueType /BaseFont /Boom /FirstChar 32 /LastChar 33 /Widths [500 500] /FontDescriptor 6 0 R >>',
    '<< /Length 46 >>\nstream\nBT /F1 12 Tf 10 800 Td (A few words here.) Tj ET\nendstream',
    '<< /Type /FontDescriptor /FontName /Boom /Flags 32 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 /FontFile2 7 0 R >>',
    [`<< /Length ${font.length} /Length1 1000 /Filter /FlateDecode >>\nstream\n`, font, '\nendstream'],
  ]);
}

/**
 * One page of Chinese text that brings no font along and writes by a table of characters that the reader must have, as
 * many Chinese files do.
 */
export function pdfWithoutItsFont(text: string): Buffer {
  const codes = Buffer.from(text, 'utf16le').swap16().toString('hex');
  const drawing = `BT /F1 12 Tf 50 800 Td <${codes}> Tj ET`;
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [5 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor 7 0 R /DW 1000 >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 800 /StemV 80 >>',
  ]);
}

/** So many megabytes of zeros as a zlib stream: one deflated megabyte, repeated. */
export function deflatedZeros(megabytes: number): Buffer {
  const MEGABYTE = 1024 * 1024;
  // A full flush ends at a byte's border, and what follows refers to nothing before it.
  const piece = deflateRawSync(Buffer.alloc(MEGABYTE), { finishFlush: constants.Z_FULL_FLUSH });
  const header = Buffer.from([0x78, 0x9c]);
  const lastBlock = Buffer.from([0x03, 0x00]);
  // Adler-32: of zeros, the low half is 1 and the high half their number.
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(((megabytes * MEGABYTE) % 65_521) * 0x1_00_00 + 1);
  return Buffer.concat([header, ...Array<Buffer>(megabytes).fill(piece), lastBlock, checksum]);
}

/** A fixed sequence of numbers from 0 to below 1 for each seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
