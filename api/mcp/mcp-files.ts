import { basename } from 'node:path';
import type { FileField } from '#libs/contract/define-tool.js';
import { AppError } from '#libs/contract/errors.js';
import { fileKinds } from '#libs/contract/limits.js';
import type { PublicFetch } from '#libs/outbound/public-fetch.js';
import type { FileContents } from '../tools/tool-requests.js';

const DOWNLOAD_TIMEOUT_MS = 20_000;

/** What assistants often put before the base64. */
const DATA_URL = /^data:[^,]*,/;

/** A file in the arguments of a call: its content, or a link to it. */
export interface FileArgument {
  data?: string;
  url?: string;
  name?: string;
}

/** JSON Schema of a {@link FileArgument}. */
export const fileSchema = (description: string) => ({
  type: 'object',
  description: `${description} Give either data or url.`,
  properties: {
    data: { type: 'string', description: 'The content as base64.' },
    url: { type: 'string', description: 'A public https address of the file.' },
    name: { type: 'string', description: 'The name of the file, such as lamp.jpg.' },
  },
  additionalProperties: false,
});

/** @throws AppError VALIDATION_FAILED, FILE_TOO_LARGE */
export async function readFileArgument(
  field: string,
  { data, url, name }: FileArgument,
  kind: FileField['kind'],
  publicFetch: PublicFetch,
): Promise<FileContents> {
  if ((data === undefined) === (url === undefined))
    throw wrong(field, 'Give either the data or the url of the file.');
  if (data !== undefined)
    return { field, name: name ?? field, bytes: Buffer.from(data.replace(DATA_URL, ''), 'base64') };
  const { maxBytes, tooLarge } = fileKinds[kind];
  const bytes = await download(url!, maxBytes, publicFetch).catch((error: unknown) => {
    throw error instanceof AppError
      ? error
      : wrong(
          field,
          'The file could not be fetched from that address. Give a public https address, without redirects.',
        );
  });
  if (bytes === null) throw new AppError('FILE_TOO_LARGE', `This file is too large. ${tooLarge}`);
  return { field, name: name ?? basename(new URL(url!).pathname), bytes };
}

/** @returns null if the file is larger than `maxBytes` */
async function download(url: string, maxBytes: number, publicFetch: PublicFetch): Promise<Buffer | null> {
  const response = await publicFetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`The address answered ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const wrong = (field: string, message: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [{ field, message }] });
