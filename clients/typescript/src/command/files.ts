import { openAsBlob } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import type { Picture } from '../pressroom.js';
import { UsageError } from './arguments.js';

const types: Record<string, string> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.gif': 'image/gif',
  '.heic': 'image/heic',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
};

/** A file on the disk, which is read while it is sent. @throws UsageError */
export async function openFile(path: string): Promise<Picture> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new UsageError(`There is no file ${path}.`);
  const type = types[extname(path).toLowerCase()] ?? 'application/octet-stream';
  return { name: basename(path), blob: await openAsBlob(path, { type }) };
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

export async function save(path: string, content: Blob | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : Buffer.from(await content.arrayBuffer()));
}
