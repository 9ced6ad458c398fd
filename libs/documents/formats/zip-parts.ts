import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { unreadableDocument } from './refusals.js';

/** The files within a ZIP file, by name. */
export type Parts = ReadonlyMap<string, Buffer>;

const MAX_PARTS = 5_000;

export interface PartLimits {
  /** Maximum bytes of one unpacked part. */
  partBytes: number;
  /** Maximum bytes of all unpacked parts. */
  totalBytes: number;
}

/**
 * Unpacks the parts of a ZIP file whose name `isWanted` accepts. Counts the bytes while it inflates them, because the sizes in
 * the file's directory may be wrong.
 * @returns the names of all parts, and the wanted parts
 * @throws AppError UNREADABLE_DOCUMENT if the file is damaged, encrypted or unpacks to more than the limits
 */
export async function unpack(
  bytes: Buffer,
  isWanted: (name: string) => boolean,
  limits: PartLimits,
): Promise<{ names: string[]; parts: Parts }> {
  const names: string[] = [];
  const parts = new Map<string, Buffer>();
  let total = 0;
  try {
    // Without this option the reader would trust the sizes of the directory, and refuse files that some programs write.
    const zip = await yauzl.fromBufferPromise(bytes, { validateEntrySizes: false });
    for await (const entry of zip.eachEntry()) {
      names.push(entry.fileName);
      if (names.length > MAX_PARTS) throw tooLarge();
      if (entry.fileName.endsWith('/') || !isWanted(entry.fileName)) continue;
      if (entry.isEncrypted()) throw unreadableDocument('encrypted');
      const content = await collect(
        await zip.openReadStreamPromise(entry),
        Math.min(limits.partBytes, limits.totalBytes - total),
      );
      total += content.length;
      parts.set(entry.fileName, content);
    }
  } catch (cause) {
    throw cause instanceof Error && cause.name === 'AppError' ? cause : unreadableDocument('corrupt', cause);
  }
  return { names, parts };
}

async function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () => unreadableDocument('heavy');
