import { inflateRawSync } from 'node:zlib';

const DEFLATED = 8;

/** The files of a ZIP by their names, as its directory lists them. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = zip.lastIndexOf('PK\x05\x06');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const stored = zip.subarray(from, from + zip.readUInt32LE(at + 20));
    files.set(
      zip.toString('utf8', at + 46, at + 46 + nameBytes!),
      zip.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(stored) : stored,
    );
    at += 46 + nameBytes! + extra! + comment!;
  }
  return files;
}
