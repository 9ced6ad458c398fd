import { open } from 'node:fs/promises';
import { SIGNATURE_BYTES, typeOf } from '#libs/contract/file-type.js';
import { BadImageHeader, type ImageHeader, type Read } from './header.js';
import { readOtherHeader } from './other-image-headers.js';

/** Maximum chunks or segments before the pixels. Cameras and editors write far fewer. */
const MAX_PARTS = 1_000;
/** Maximum bytes between two segments of a JPEG that belong to none. */
const MAX_GAP_BYTES = 64 * 1024;
/** Maximum compressed text and colour profiles of a PNG. One megabyte may already inflate to a gigabyte. */
const MAX_COMPRESSED_BYTES = 1024 * 1024;

/**
 * Reads the size of an image from its header. Decodes and decompresses nothing, so it is safe for crafted files.
 * @throws BadImageHeader
 */
export async function readImageHeader(image: Uint8Array | { path: string }): Promise<ImageHeader> {
  if (image instanceof Uint8Array) {
    const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
    return readHeader((position, length) => Promise.resolve(bytes.subarray(position, position + length)));
  }
  const file = await open(image.path);
  try {
    return await readHeader(async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

async function readHeader(read: Read): Promise<ImageHeader> {
  const header = await readByType(read);
  if (header.width > 0 && header.height > 0) return header;
  throw new BadImageHeader('The image has no pixels.');
}

async function readByType(read: Read): Promise<ImageHeader> {
  const start = await read(0, SIGNATURE_BYTES);
  const type = typeOf(start);
  try {
    if (type === 'image/png') return await readPng(start, read);
    if (type === 'image/jpeg') return await readJpeg(read);
    if (type === 'image/webp') return readWebp(start);
    return await readOtherHeader(type, start, read);
  } catch (cause) {
    if ((cause as Error).name === 'RangeError') throw new BadImageHeader('The header is cut off.', { cause });
    throw cause;
  }
}

/** https://www.w3.org/TR/png-3: the IHDR chunk is the header. Checks all chunks before IDAT, the first chunk with pixels. */
async function readPng(start: Buffer, read: Read): Promise<ImageHeader> {
  if (start.toString('latin1', 12, 16) !== 'IHDR') throw new BadImageHeader('The PNG has no header.');
  let compressed = 0;
  for (let position = 8, part = 0; part < MAX_PARTS; part += 1) {
    const chunk = await read(position, 8);
    const length = chunk.readUInt32BE(0);
    const type = chunk.toString('latin1', 4, 8);
    // Images with a palette or in greyscale are decoded to at most four channels too.
    if (type === 'IDAT')
      return {
        width: start.readUInt32BE(16),
        height: start.readUInt32BE(20),
        bytesPerPixel: start.readUInt8(24) === 16 ? 8 : 4,
      };
    if (await isCompressed(type, length, (bytes) => read(position + 8, bytes))) compressed += length;
    if (compressed > MAX_COMPRESSED_BYTES) throw new BadImageHeader('The PNG holds too much beside pixels.');
    position += 12 + length;
  }
  throw new BadImageHeader('The PNG has too many chunks.');
}

/** The keyword of a text ends with a zero byte, which the flag of an `iTXt` follows; a keyword has at most 79 bytes. */
async function isCompressed(type: string, length: number, read: (bytes: number) => Promise<Buffer>) {
  if (type !== 'iTXt') return type === 'zTXt' || type === 'iCCP';
  const text = await read(Math.min(length, 81));
  return text[text.indexOf(0) + 1] !== 0;
}

/** ITU T.81, annex B: a list of segments, each with a marker and a length. The frame header is one of the segments. */
async function readJpeg(read: Read): Promise<ImageHeader> {
  for (let position = 2, part = 0; part < MAX_PARTS; part += 1) {
    const segment = await read(position, 10);
    // Decoders skip what is between two segments.
    if (segment.readUInt8(0) !== 0xff) {
      position = await nextMarker(read, position);
      continue;
    }
    const marker = segment.readUInt8(1);
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    if (isFrameHeader(marker)) {
      const components = segment.readUInt8(9);
      // A decoder of progressive images keeps a coefficient of two bytes for each component of a pixel.
      const isProgressive = marker !== 0xc0 && marker !== 0xc1;
      return {
        width: segment.readUInt16BE(7),
        height: segment.readUInt16BE(5),
        bytesPerPixel: components * (isProgressive ? 2 : 1),
      };
    }
    const length = segment.readUInt16BE(2);
    // 0xda (pixels) and 0xd9 (end of the image) must not precede the frame header.
    if (length < 2 || marker === 0xd9 || marker === 0xda) throw new BadImageHeader('The JPEG is damaged.');
    position += 2 + length;
  }
  throw new BadImageHeader('The JPEG has too many segments.');
}

/** The position of the next byte 0xff. @throws BadImageHeader if there is none near */
async function nextMarker(read: Read, position: number): Promise<number> {
  const found = (await read(position, MAX_GAP_BYTES)).indexOf(0xff);
  if (found < 0) throw new BadImageHeader('The JPEG is damaged.');
  return position + found;
}

/** True for the markers SOF0 to SOF15. DHT, JPG and DAC are in the same range. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** https://www.rfc-editor.org/rfc/rfc9649: the first chunk is `VP8 ` (lossy), `VP8L` (lossless) or `VP8X` (extended). */
function readWebp(start: Buffer): ImageHeader {
  const bytesPerPixel = 4;
  switch (start.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return {
        width: start.readUInt16LE(26) & 0x3fff,
        height: start.readUInt16LE(28) & 0x3fff,
        bytesPerPixel,
      };
    case 'VP8L': {
      const bits = start.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, bytesPerPixel };
    }
    case 'VP8X':
      return { width: start.readUIntLE(24, 3) + 1, height: start.readUIntLE(27, 3) + 1, bytesPerPixel };
    default:
      throw new BadImageHeader('This is no image.');
  }
}
