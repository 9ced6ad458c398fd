import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { AppError } from '#libs/contract/errors.js';
import { fileKinds } from '#libs/contract/file-kinds.js';
import type { FileField } from '#libs/contract/define-tool.js';
import { toAppError } from '../http/to-app-error.js';
import type { Spool, SpooledFile } from './spool.js';

/** A file of a request with what the client said of it. */
export interface UploadedFile extends SpooledFile {
  field: string;
  /** The name it had on the user's machine. */
  name: string;
}

export interface MultipartBody {
  fields: Record<string, string>;
  files: UploadedFile[];
}

const MOST_FIELDS = 20;
/** The longest text of a field, in bytes: a job description or a chat with room to spare. */
const FIELD_BYTES = 200 * 1024;
const FIELD_NAME_BYTES = 100;
/** Boundaries and headers of all parts together come nowhere near this. */
const FRAME_BYTES = 64 * 1024;
const LONGEST_NAME = 200;
/** Busboy passes such a part on, whatever its types say. */
const NAMELESS = 'A part of the multipart body names no field.';

/**
 * Reads a multipart request as it comes: files go to the spool while they are checked, and the first thing that is
 * wrong ends the reading. Nothing stays of a request that is refused or that its client leaves.
 * @param accepts the tool's file fields
 * @returns fields and files; the caller removes the files from the spool
 * @throws AppError FILE_TOO_LARGE, UNSUPPORTED_FILE, VALIDATION_FAILED
 */
export async function readMultipart(
  request: IncomingMessage,
  accepts: Record<string, FileField>,
  spool: Spool,
): Promise<MultipartBody> {
  refuseTooLong(request, accepts);
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
          if (name === undefined) throw invalid('body', NAMELESS);
          checkField(name, info, accepts, names);
          fields.set(name, value);
        });
      });
      parser.on('file', (name: string | undefined, content, info) => {
        // A stream that is destroyed with its parser says so, whether or not somebody still reads it.
        content.on('error', () => undefined);
        attempt(() => {
          if (name === undefined) throw invalid('body', NAMELESS);
          const { kind } = fileField(name, accepts, names);
          const file = takeFile(name, content, info.filename, kind, spool);
          files.push(file);
          file.catch(reject);
        });
      });
      parser.on('fieldsLimit', () => reject(invalid('body', `Send at most ${MOST_FIELDS} fields.`)));
      parser.on('error', () => reject(malformed()));
      parser.on('close', resolve);
      request.once('close', () => {
        if (!request.complete) reject(malformed());
      });
      request.pipe(parser);
    });
    const taken = await Promise.all(files);
    return { fields: Object.fromEntries(fields), files: taken.filter((file) => file !== null) };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    const taken = await Promise.allSettled(files);
    const left = taken.flatMap((file) =>
      file.status === 'fulfilled' && file.value ? [file.value.path] : [],
    );
    await Promise.all(left.map((path) => spool.remove(path)));
    throw error;
  }
}

/** A body that no allowed request could be as long as is refused before it is read. */
function refuseTooLong(request: IncomingMessage, accepts: Record<string, FileField>): void {
  const kinds = Object.values(accepts).map(({ kind }) => fileKinds[kind]);
  const most = kinds.reduce((sum, { maxBytes }) => sum + maxBytes, MOST_FIELDS * FIELD_BYTES + FRAME_BYTES);
  if (Number(request.headers['content-length']) <= most || request.headers['content-length'] === undefined)
    return;
  throw new AppError('FILE_TOO_LARGE', `This file is too large. ${kinds[0]?.tooLarge ?? ''}`.trim());
}

function openParser(request: IncomingMessage): Busboy {
  try {
    return busboy({
      headers: request.headers,
      // Browsers send names in UTF-8, without saying so.
      defParamCharset: 'utf8',
      limits: { fields: MOST_FIELDS, fieldSize: FIELD_BYTES, fieldNameSize: FIELD_NAME_BYTES },
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
  if (nameTruncated) throw invalid('body', `The name of a field may have up to ${FIELD_NAME_BYTES} bytes.`);
  if (valueTruncated)
    throw invalid(name, `The field "${name}" may have up to ${FIELD_BYTES / 1024} kB of text.`);
  if (Object.hasOwn(accepts, name)) throw invalid(name, `Send "${name}" as a file, not as text.`);
  once(name, names);
}

function fileField(name: string, accepts: Record<string, FileField>, names: Set<string>): FileField {
  const field = Object.hasOwn(accepts, name) ? accepts[name] : undefined;
  if (!field) {
    const known = Object.keys(accepts)
      .map((known) => `"${known}"`)
      .join(' and ');
    throw invalid(name, `There is no file field "${name}" here. The file fields are: ${known}.`);
  }
  once(name, names);
  return field;
}

function once(name: string, names: Set<string>): void {
  if (names.has(name)) throw invalid(name, `The field "${name}" was sent twice. Send it once.`);
  names.add(name);
}

/** Null for the empty part that a browser sends for a file that was not chosen. */
async function takeFile(
  field: string,
  content: Readable,
  name: string | undefined,
  kind: FileField['kind'],
  spool: Spool,
): Promise<UploadedFile | null> {
  const spooled = await spool.take(content, kind);
  if (spooled) return { ...spooled, field, name: tidyName(name) };
  if (!name) return null;
  throw new AppError('UNSUPPORTED_FILE', `This file is empty. ${fileKinds[kind].accepted}`);
}

/** A name fit to be stored and shown: no control characters, no marks that turn writing round; a long one keeps its ending. */
function tidyName(name = ''): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const ending = /\.\w{1,5}$/.exec(plain)?.[0] ?? '';
  const stem = Array.from(plain.slice(0, plain.length - ending.length));
  return stem.slice(0, LONGEST_NAME - ending.length).join('') + ending || 'file';
}

const invalid = (field: string, message: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [{ field, message }] });

const malformed = () =>
  new AppError('VALIDATION_FAILED', 'The multipart body is not complete or not well formed. Send it again.');
