import { BadImageHeader, type ImageHeader, type Read } from './header.js';

/** Maximum memory per pixel while these formats are decoded: up to 16 bits for each of four channels. */
const BYTES_PER_PIXEL = 8;
/** Maximum bytes of the boxes that describe an AVIF or HEIC. */
const MAX_BOXES_BYTES = 1024 * 1024;
const MAX_BOXES = 1_000;
const MAX_TIFF_ENTRIES = 1_000;

/** Reads the size of a GIF, TIFF, BMP, AVIF or HEIC. Of several images in a file, the largest counts. @throws BadImageHeader */
export async function readOtherHeader(
  type: string | undefined,
  start: Buffer,
  read: Read,
): Promise<ImageHeader> {
  if (type === 'image/gif') return header(start.readUInt16LE(6), start.readUInt16LE(8));
  if (type === 'image/bmp') return readBmp(start);
  if (type === 'image/tiff') return readTiff(start, read);
  if (type === 'image/avif' || type === 'image/heic') return readContainer(read);
  throw new BadImageHeader('This is no image.');
}

const header = (width: number, height: number): ImageHeader => ({
  width,
  height,
  bytesPerPixel: BYTES_PER_PIXEL,
});

/** https://learn.microsoft.com/windows/win32/gdi/bitmap-header-types: a header of 12 bytes has shorter numbers. */
function readBmp(start: Buffer): ImageHeader {
  return start.readUInt32LE(14) === 12
    ? header(start.readUInt16LE(18), start.readUInt16LE(20))
    : header(start.readInt32LE(18), Math.abs(start.readInt32LE(22)));
}

const [IMAGE_WIDTH, IMAGE_LENGTH] = [256, 257];
const SHORT = 3;

/** TIFF 6.0, section 2: the first directory describes the first page. */
async function readTiff(start: Buffer, read: Read): Promise<ImageHeader> {
  const isLittle = start.toString('latin1', 0, 2) === 'II';
  const short = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const directory = long(start, 4);
  const count = Math.min(short(await read(directory, 2), 0), MAX_TIFF_ENTRIES);
  const entries = await read(directory + 2, count * 12);
  const value = (tag: number) => {
    for (let at = 0; at < count * 12; at += 12)
      if (short(entries, at) === tag)
        return short(entries, at + 2) === SHORT ? short(entries, at + 8) : long(entries, at + 8);
    return 0;
  };
  return header(value(IMAGE_WIDTH), value(IMAGE_LENGTH));
}

/** ISO/IEC 23008-12: the box `ispe` of each image is in `meta`, `iprp`, `ipco`. */
async function readContainer(read: Read): Promise<ImageHeader> {
  for (let position = 0, box = 0; box < MAX_BOXES; box += 1) {
    const start = await read(position, 16);
    const { type, size, headerSize } = boxAt(start, 0);
    if (type === 'meta') {
      if (size > MAX_BOXES_BYTES) throw new BadImageHeader('The image holds too much beside pixels.');
      // The box begins with its version and flags.
      return largest(await read(position + headerSize + 4, size - headerSize - 4));
    }
    position += size;
  }
  throw new BadImageHeader('The image has no size.');
}

function largest(meta: Buffer): ImageHeader {
  let found = header(0, 0);
  for (const { content } of boxesIn(childOf(childOf(meta, 'iprp'), 'ipco'), 'ispe')) {
    const size = header(content.readUInt32BE(4), content.readUInt32BE(8));
    if (size.width * size.height > found.width * found.height) found = size;
  }
  return found;
}

const childOf = (content: Buffer, type: string): Buffer =>
  boxesIn(content, type).next().value?.content ?? Buffer.alloc(0);

function* boxesIn(content: Buffer, wanted: string): Generator<{ content: Buffer }, undefined> {
  for (let position = 0; position + 8 <= content.length;) {
    const { type, size, headerSize } = boxAt(content, position);
    if (type === wanted) yield { content: content.subarray(position + headerSize, position + size) };
    position += size;
  }
}

/** A size of 1 means that a long size follows the type. @throws BadImageHeader for a box without a size */
function boxAt(bytes: Buffer, position: number) {
  const type = bytes.toString('latin1', position + 4, position + 8);
  const short = bytes.readUInt32BE(position);
  const headerSize = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(bytes.readBigUInt64BE(position + 8)) : short;
  if (size < headerSize) throw new BadImageHeader('The image is damaged.');
  return { type, size, headerSize };
}
