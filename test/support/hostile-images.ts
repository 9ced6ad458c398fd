import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Images that are small as files and cost much when they are decoded. */

const blank = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#0a5ac880' } });

/** One colour and turned; decoded whole, since its rows come in no order. */
export function interlacedPng(side: number, bits: 8 | 16 = 8): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Bits of a channel, RGBA, deflate, filters, interlaced.
  header.set([bits, 6, 0, 0, 1], 8);
  // Little-endian TIFF with one entry: orientation, a short, 6.
  const turned = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex');
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('eXIf', turned),
    pngChunk('IDAT', deflateSync(Buffer.alloc(interlacedBytes(side, bits / 2)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The first column and row of each of the seven passes, and the steps between its columns and rows. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const interlacedBytes = (side: number, bytesPerPixel: number): number =>
  PASSES.reduce((sum, [x, y, stepX, stepY]) => {
    const [columns, rows] = [Math.ceil((side - x) / stepX), Math.ceil((side - y) / stepY)];
    return sum + rows * (1 + columns * bytesPerPixel);
  }, 0);

export const progressiveCmykJpeg = (side: number): Promise<Buffer> =>
  blank(side).withMetadata({ orientation: 6 }).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer();

export async function animatedWebp(side: number, frames: number): Promise<Buffer> {
  const still = await blank(side).png().toBuffer();
  const turned = await blank(side).negate().png().toBuffer();
  return sharp(
    Array.from({ length: frames }, (_, i) => (i % 2 ? still : turned)),
    { join: { animated: true } },
  )
    .webp({ effort: 0 })
    .toBuffer();
}

/** A PNG of a few pixels with compressed texts that inflate to gigabytes. */
export async function pngWithTexts(): Promise<Buffer> {
  const png = await blank(16).png().toBuffer();
  const text = pngChunk('zTXt', Buffer.concat([Buffer.from('key\0\0'), deflateSync(Buffer.alloc(55e6))]));
  return Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(100).fill(text), png.subarray(33)]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
