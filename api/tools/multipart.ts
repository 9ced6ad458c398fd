import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { AppError } from '#libs/contract/errors.js';
import { fileKinds } from '#libs/contract/limits.js';
import type { FileField } from '#libs/contract/define-tool.js';
import { toAppError } from '../http/to-app-error.js';
import type { Spool, SpooledFile } from './spool.js';

export interface UploadedFile extends SpooledFile {
  field: string;
  /** File name on the user's device. */
  name: string;
}

export interface MultipartBody {
  fields: Record<string, string>;
  files: UploadedFile[];
}

const MAX_FIELDS = 20;
/** Maximum bytes of one text field. */
const FIELD_BYTES = 200 * 1024;
const MAX_FIELD_NAME_BYTES = 100;
/** Maximum bytes for the boundaries and headers of all parts. */
const MAX_OVERHEAD_BYTES = 64 * 1024;
/** Maximum bytes of all text fields together, with boundaries and headers. */
const MAX_TEXT_BYTES = 512 * 1024;
const MAX_NAME_CHARACTERS = 200;
/** Busboy also reports parts without a name, although its types say otherwise. */
const MISSING_NAME = 'A part of the multipart body names no field.';

/**
 * Parses a multipart request as a stream. Files are checked while they are written to the spool; the first error stops
 * the parsing. If the request is refused or aborted, its files are deleted.
 * @param accepts the tool's file fields
 * @param limit throttles the reading of a file
 * @returns fields and files; the caller must delete the files from the spool
 * @throws AppError FILE_TOO_LARGE, UNSUPPORTED_FILE, VALIDATION_FAILED
 */
export async function readMultipart(
  request: IncomingMessage,
  accepts: Record<string, FileField>,
  spool: Spool,
  limit: (content: Readable) => AsyncIterable<Buffer>,
): Promise<MultipartBody> {
  checkContentLength(request, accepts);
  const parser = openParser(request);
  const fields = new Map<string, string>();
  const files: Promise<UploadedFile | null>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const names = new Set<string>();
      const attempt = (step: () => void) => {
        try {
          step();
        } catch (error) {
          reject(toAppError(error));
        }
      };
      parser.on('field', (name: string | undefined, value, info) => {
        attempt(() => {
          if (name === undefined) throw invalid('body', MISSING_NAME);
          checkField(name, info, accepts, names);
          fields.set(name, value);
        });
      });
      parser.on('file', (name: string | undefined, content, info) => {
        // `parser.destroy()` emits an error on each stream, even on unread ones, which would be unhandled without this
        // listener.
        content.on('error', () => undefined);
        attempt(() => {
          if (name === undefined) throw invalid('body', MISSING_NAME);
          const { kind } = fileField(name, accepts, names);
          const file = receiveFile(name, limit(content), info.filename, kind, spool);
          files.push(file);
          file.catch(reject);
        });
      });
      parser.on('fieldsLimit', () => reject(invalid('body', `Send at most ${MAX_FIELDS} fields.`)));
      parser.on('error', () => reject(malformed()));
      parser.on('close', resolve);
      request.once('close', () => {
        if (!request.complete) reject(malformed());
      });
      request.pipe(parser);
    });
    const received = await Promise.all(files);
    return { fields: Object.fromEntries(fields), files: received.filter((file) => file !== null) };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    const settled = await Promise.allSettled(files);
    const spooled = settled.flatMap((file) =>
      file.status === 'fulfilled' && file.value ? [file.value.path] : [],
    );
    await Promise.all(spooled.map((path) => spool.remove(path)));
    throw error;
  }
}

/** Minimum total size of the request's files in bytes, derived from its Content-Length. 0 if unknown. */
export const leastFileBytes = ({ headers }: IncomingMessage): number =>
  Math.max(0, Number(headers['content-length'] ?? 0) - MAX_TEXT_BYTES);

/** Rejects a body that is longer than any valid request, before it is read. */
function checkContentLength(request: IncomingMessage, accepts: Record<string, FileField>): void {
  const kinds = Object.values(accepts).map(({ kind }) => fileKinds[kind]);
  const most = kinds.reduce(
    (sum, { maxBytes }) => sum + maxBytes,
    MAX_FIELDS * FIELD_BYTES + MAX_OVERHEAD_BYTES,
  );
  if (Number(request.headers['content-length']) <= most || request.headers['content-length'] === undefined)
    return;
  throw new AppError('FILE_TOO_LARGE', `This file is too large. ${kinds[0]?.tooLarge ?? ''}`.trim());
}

function openParser(request: IncomingMessage): Busboy {
  try {
    return busboy({
      headers: request.headers,
      // Browsers send file names in UTF-8 without declaring it.
      defParamCharset: 'utf8',
      limits: { fields: MAX_FIELDS, fieldSize: FIELD_BYTES, fieldNameSize: MAX_FIELD_NAME_BYTES },
    });
  } catch (cause) {
    throw new AppError(
      'VALIDATION_FAILED',
      'The multipart body names no boundary. Let your client set the Content-Type header.',
      {
        cause,
      },
    );
  }
}

function checkField(
  name: string,
  { nameTruncated, valueTruncated }: { nameTruncated: boolean; valueTruncated: boolean },
  accepts: Record<string, FileField>,
  names: Set<string>,
): void {
  if (nameTruncated)
    throw invalid('body', `The name of a field may have up to ${MAX_FIELD_NAME_BYTES} bytes.`);
  if (valueTruncated)
    throw invalid(name, `The field "${name}" may have up to ${FIELD_BYTES / 1024} kB of text.`);
  if (Object.hasOwn(accepts, name)) throw invalid(name, `Send "${name}" as a file, not as text.`);
  checkUnique(name, names);
}

function fileField(name: string, accepts: Record<string, FileField>, names: Set<string>): FileField {
  const field = Object.hasOwn(accepts, name) ? accepts[name] : undefined;
  if (!field) {
    const known = Object.keys(accepts)
      .map((known) => `"${known}"`)
      .join(' and ');
    throw invalid(name, `There is no file field "${name}" here. The file fields are: ${known}.`);
  }
  checkUnique(name, names);
  return field;
}

function checkUnique(name: string, names: Set<string>): void {
  if (names.has(name)) throw invalid(name, `The field "${name}" was sent twice. Send it once.`);
  names.add(name);
}

/** Returns null for an empty part, which browsers send if no file is chosen. */
async function receiveFile(
  field: string,
  content: AsyncIterable<Buffer>,
  name: string | undefined,
  kind: FileField['kind'],
  spool: Spool,
): Promise<UploadedFile | null> {
  const spooled = await spool.take(content, kind);
  if (spooled) return { ...spooled, field, name: sanitizeFileName(name) };
  if (!name) return null;
  throw new AppError('UNSUPPORTED_FILE', `This file is empty. ${fileKinds[kind].accepted}`);
}

/**
 * Decodes what browsers encode in a file name (https://html.spec.whatwg.org/#multipart-form-data), and removes control
 * characters and text direction marks. Shortens a long name but keeps its extension.
 */
function sanitizeFileName(name = ''): string {
  const plain = name
    .toWellFormed()
    .replaceAll('%22', '"')
    .replace(/%0[AD]|[\p{Cc}\u202a-\u202e\u2066-\u2069]/giu, '')
    .trim();
  const ending = /\.\w{1,5}$/.exec(plain)?.[0] ?? '';
  const stem = Array.from(plain.slice(0, plain.length - ending.length));
  return stem.slice(0, MAX_NAME_CHARACTERS - ending.length).join('') + ending || 'file';
}

const invalid = (field: string, message: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [{ field, message }] });

const malformed = () =>
  new AppError('VALIDATION_FAILED', 'The multipart body is not complete or not well formed. Send it again.');
