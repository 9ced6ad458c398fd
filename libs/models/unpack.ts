import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

const BLOCK = 512;

interface Member {
  name: string;
  left: number;
  padding: number;
  to: { file: FileHandle; hash: ReturnType<typeof createHash>; packed: string } | null;
}

/**
 * Unpacks some files of an npm archive, a gzipped tar, without unpacking the others.
 * @param targets the path on disk for each path in the archive
 * @returns the SHA-256 of each path in the archive that was found
 * @throws an error of the disk, or of zlib (`Z_…`) for a damaged archive
 */
export async function unpack(archive: string, targets: Map<string, string>): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  let member: Member | null = null;
  const finish = async (done: Member) => {
    if (!done.to) return;
    await done.to.file.sync();
    await done.to.file.close();
    hashes.set(done.to.packed, done.to.hash.digest('hex'));
    done.to = null;
  };
  try {
    for await (const chunk of createReadStream(archive).pipe(createGunzip())) {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
      while (rest.length > 0) {
        if (!member) {
          if (rest.length < BLOCK) break;
          const header = rest.subarray(0, BLOCK);
          rest = rest.subarray(BLOCK);
          if (header.every((byte) => byte === 0)) continue;
          member = await openMember(header, targets);
        }
        const part = rest.subarray(0, member.left);
        rest = rest.subarray(part.length);
        member.left -= part.length;
        if (member.to && part.length > 0) {
          member.to.hash.update(part);
          await writeAll(member.to.file, part);
        }
        if (member.left > 0) break;
        await finish(member);
        const skipped = Math.min(member.padding, rest.length);
        rest = rest.subarray(skipped);
        member.padding -= skipped;
        if (member.padding > 0) break;
        member = null;
      }
      if (hashes.size === targets.size) break;
    }
  } finally {
    await member?.to?.file.close();
  }
  return hashes;
}

/** A header of the format `ustar`: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html */
async function openMember(header: Buffer, targets: Map<string, string>): Promise<Member> {
  const text = (start: number, length: number) =>
    header
      .subarray(start, start + length)
      .toString('utf8')
      .replace(/\0[^]*$/, '');
  const size = parseInt(text(124, 12).trim() || '0', 8);
  const prefix = text(345, 155);
  const name = prefix ? `${prefix}/${text(0, 100)}` : text(0, 100);
  const target = targets.get(name);
  const to =
    target === undefined ? null : { file: await open(target, 'w'), hash: createHash('sha256'), packed: name };
  return { name, left: size, padding: (BLOCK - (size % BLOCK)) % BLOCK, to };
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}
