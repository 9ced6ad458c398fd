const PIXELS_PER_METRE = 1 / 0.0254;
/** The signature and the IHDR chunk, after which `pHYs` may stand. */
const PNG_HEADER_BYTES = 33;
/** The letters of JFIF, and their position in a JPEG that begins with that segment. */
const [JFIF, JFIF_AT] = [0x4a464946, 6];

/** Sets the pixels per inch with which a PNG or JPEG of a canvas is printed; other types have no place for it. */
export async function setDensity(picture: Blob, density: number): Promise<Blob> {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  if (picture.type === 'image/png') {
    const parts = [
      bytes.subarray(0, PNG_HEADER_BYTES),
      densityChunk(density),
      bytes.subarray(PNG_HEADER_BYTES),
    ];
    return new Blob(parts, { type: picture.type });
  }
  if (picture.type !== 'image/jpeg') return picture;
  const view = new DataView(bytes.buffer);
  const rest = view.getUint32(JFIF_AT) === JFIF ? 4 + view.getUint16(4) : 2;
  return new Blob([densityHeader(density), bytes.subarray(rest)], { type: picture.type });
}

/** The start of a JPEG, and a JFIF segment of version 1.02 with pixels per inch and no thumbnail (ITU T.871). */
function densityHeader(density: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array([
    0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 2, 1, 0, 0, 0, 0, 0, 0,
  ]);
  const view = new DataView(header.buffer);
  view.setUint16(14, density);
  view.setUint16(16, density);
  return header;
}

/** https://www.w3.org/TR/png-3/#11pHYs: pixels per metre in both directions, and the unit. */
function densityChunk(density: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, 9);
  chunk.set(
    [...'pHYs'].map((letter) => letter.charCodeAt(0)),
    4,
  );
  view.setUint32(8, Math.round(density * PIXELS_PER_METRE));
  view.setUint32(12, Math.round(density * PIXELS_PER_METRE));
  view.setUint8(16, 1);
  view.setUint32(17, crc32(chunk.subarray(4, 17)));
  return chunk;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** What a PNG says beside its pixels. */
export interface PngMetadata {
  /** Pixels per inch. */
  density?: number;
  /** Date and copyright, as a TIFF structure. */
  exif?: Uint8Array<ArrayBuffer>;
}

export async function readPngMetadata(png: Blob): Promise<PngMetadata> {
  const view = new DataView(await png.slice(0, MAX_HEADER_BYTES).arrayBuffer());
  const details: PngMetadata = {};
  for (let at = PNG_SIGNATURE_BYTES; at + 21 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4);
    if (type === PHYS && view.getUint8(at + 16) === METRE && view.getUint32(at + 8) !== UNKNOWN)
      details.density = Math.round(view.getUint32(at + 8) / PIXELS_PER_METRE);
    if (type === EXIF && at + 8 + view.getUint32(at) <= view.byteLength)
      details.exif = new Uint8Array(view.buffer.slice(at + 8, at + 8 + view.getUint32(at)));
    if (type === IDAT) break;
  }
  return details;
}

/** Adds a TIFF structure to a JPEG, behind its JFIF segment; other types are left as they are. */
export async function setExif(picture: Blob, exif: Uint8Array<ArrayBuffer>): Promise<Blob> {
  if (picture.type !== 'image/jpeg') return picture;
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const view = new DataView(bytes.buffer);
  const at = view.getUint32(JFIF_AT) === JFIF ? 4 + view.getUint16(4) : 2;
  const segment = new DataView(new ArrayBuffer(EXIF_HEADER_BYTES));
  segment.setUint16(0, APP1);
  segment.setUint16(2, EXIF_HEADER_BYTES - 2 + exif.length);
  // "Exif" and two zero bytes.
  segment.setUint32(4, 0x45786966);
  return new Blob([bytes.subarray(0, at), segment, exif, bytes.subarray(at)], { type: picture.type });
}
const EXIF_HEADER_BYTES = 10;
const APP1 = 0xffe1;

/** Where to look for the `pHYs` chunk, which stands before the pixels. */
const MAX_HEADER_BYTES = 64 * 1024;
const PNG_SIGNATURE_BYTES = 8;
/** The pixels per metre that libvips writes for an image without density. */
const UNKNOWN = 1_000;
/** Chunk types as numbers, and the unit of `pHYs`. */
const [PHYS, IDAT, EXIF, METRE] = [0x70485973, 0x49444154, 0x65584966, 1];
