const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * Converts a WOFF font to OpenType. fontkit 2.0.4 decompresses the table of outlines of a WOFF font again for each glyph,
 * which takes seconds for large fonts. The format: https://www.w3.org/TR/WOFF/
 */
export async function decompressWoff(woff: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const view = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  const count = view.getUint16(12);
  const tables = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const entry = WOFF_HEADER + index * WOFF_ENTRY;
      const [offset, compressed, length] = [4, 8, 12].map((field) => view.getUint32(entry + field)) as [
        number,
        number,
        number,
      ];
      const data = woff.subarray(offset, offset + compressed);
      return {
        tag: view.getUint32(entry),
        checksum: view.getUint32(entry + 16),
        data: compressed < length ? await inflate(data) : data,
      };
    }),
  );
  const padded = (length: number) => Math.ceil(length / 4) * 4;
  const start = SFNT_HEADER + count * SFNT_ENTRY;
  const font = new Uint8Array(tables.reduce((size, { data }) => size + padded(data.length), start));
  const target = new DataView(font.buffer);
  target.setUint32(0, view.getUint32(4));
  target.setUint16(4, count);
  let offset = start;
  tables.forEach(({ tag, checksum, data }, index) => {
    const entry = SFNT_HEADER + index * SFNT_ENTRY;
    [tag, checksum, offset, data.length].forEach((value, field) =>
      target.setUint32(entry + 4 * field, value),
    );
    font.set(data, offset);
    offset += padded(data.length);
  });
  return font;
}

async function inflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
