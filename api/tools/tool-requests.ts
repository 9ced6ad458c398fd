import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { QueueName } from '#libs/contract/jobs.js';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { AppError, type FieldError } from '#libs/contract/errors.js';
import { withoutPastedControls } from '#libs/contract/text.js';
import { validationError } from '#libs/contract/validation.js';
import { fileKinds } from '#libs/contract/limits.js';
import { documentTypes } from '#libs/documents/document-kinds.js';
import { formatOf } from '#libs/documents/formats/file-format.js';
import { sourceOf } from '#libs/contract/images.js';
import type { FileField, ToolContract } from '#libs/contract/define-tool.js';
import { DiskSpace } from '#libs/storage/disk-space.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { ABANDONED_PASS_MS, AbandonedSpools, SpoolFolder, spoolsIn } from '#libs/storage/spool-folders.js';
import { RequestBodies } from '../http/json-body.js';
import { checkImageHeader } from './image-header.js';
import { readMultipart, type MultipartBody, type UploadedFile } from './multipart.js';
import { Spool } from './spool.js';
import { UploadRates } from './upload-rates.js';

export interface ToolRequest<Input> {
  input: Input;
  /** Spooled files. Callers must delete them with {@link ToolRequests.discard}. */
  files: UploadedFile[];
}

/** A file in memory. */
export interface FileContents {
  field: string;
  name: string;
  bytes: Buffer;
}

const MARKDOWN_NAME = /\.(?:md|markdown|mdown|mkd)$/i;

const onError = logErrors('Uploads');

const JSON_MAX_BYTES = 200 * 2 ** 10;

/** The part of a tool's contract needed to check a request. */
type RequestContract<Input> = Pick<ToolContract<z.ZodType<Input>>, 'input' | 'files' | 'check'> & {
  queue?: QueueName;
};

@Injectable()
export class ToolRequests implements OnModuleInit, OnApplicationShutdown {
  private readonly folder: SpoolFolder;
  private readonly abandoned: AbandonedSpools;
  private readonly spool: Spool;
  private timer: NodeJS.Timeout | undefined;

  private readonly uploadsPerUser: number;
  /** Number of uploads in progress per user. */
  private readonly uploads = new Map<string, number>();
  private readonly rates = new UploadRates();

  constructor(
    @Inject(CONFIG) { dataDir, open }: Config,
    private readonly disk: DiskSpace,
    private readonly bodies: RequestBodies,
  ) {
    this.folder = new SpoolFolder(spoolsIn(dataDir));
    this.abandoned = new AbandonedSpools(spoolsIn(dataDir));
    this.spool = new Spool(this.folder.path, open.spoolBytes);
    this.uploadsPerUser = open.uploadsPerUser;
  }

  async onModuleInit(): Promise<void> {
    await this.folder.open();
    this.timer = setInterval(() => void this.abandoned.pass().catch(onError), ABANDONED_PASS_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.folder.close();
  }

  /**
   * Reads and validates a request. If it throws, the request's files are deleted.
   * @throws AppError VALIDATION_FAILED, FILE_TOO_LARGE, UNSUPPORTED_FILE, UNREADABLE_DOCUMENT, UNREADABLE_IMAGE, DISK_FULL; RATE_LIMITED if
   *   the user has too many uploads in progress; UNAVAILABLE if all users together have too many
   */
  async read<Input>(
    userId: string,
    request: Request,
    response: Response,
    tool: RequestContract<Input>,
  ): Promise<ToolRequest<Input>> {
    const { fields, files } = await this.readBody(userId, request, response, tool);
    return this.check(tool, fields, files);
  }

  /**
   * Like {@link read}, with files that are already in memory.
   * @throws AppError as {@link read}
   */
  async readContents<Input>(
    userId: string,
    tool: RequestContract<Input>,
    fields: object,
    contents: FileContents[],
  ): Promise<ToolRequest<Input>> {
    if (contents.length > 0 || tool.queue === 'image') await this.disk.requireSpace();
    const files: UploadedFile[] = [];
    await this.receive(userId, async () => {
      try {
        for (const { field, name, bytes } of contents) {
          const { kind } = tool.files![field]!;
          const spooled = await this.spool.take(Readable.from([bytes]), kind);
          if (spooled) files.push({ ...spooled, field, name });
        }
      } catch (error) {
        await this.discard(files);
        throw error;
      }
    });
    return this.check(tool, fields, files);
  }

  /** Checks the content of the files, and validates the fields. If it throws, the files are deleted. */
  private async check<Input>(
    tool: RequestContract<Input>,
    fields: unknown,
    files: UploadedFile[],
  ): Promise<ToolRequest<Input>> {
    try {
      for (const file of files) {
        const { field, path, name, type } = file;
        const { kind, maxMegapixels } = tool.files?.[field] ?? {};
        if (kind === 'image' || kind === 'picture' || kind === 'mask')
          await checkImageHeader(path, maxMegapixels);
        // Refuses other files by what they are, such as workbooks and old Word documents.
        if (kind === 'document' || (kind === 'resume' && !fileKinds.pdf.types.includes(type))) {
          const format = await formatOf(await readFile(path), MARKDOWN_NAME.test(name));
          file.type = documentTypes[format];
        }
      }
      return { input: validate(tool, fields, new Set(files.map(({ field }) => field))), files };
    } catch (error) {
      await this.discard(files);
      throw error;
    }
  }

  async discard(files: UploadedFile[]): Promise<void> {
    await Promise.all(files.map(({ path }) => this.spool.remove(path)));
  }

  private async readBody(
    userId: string,
    request: Request,
    response: Response,
    { files, queue }: Pick<RequestContract<unknown>, 'files' | 'queue'>,
  ): Promise<{ fields: unknown; files: MultipartBody['files'] }> {
    const isMultipart = files && request.is('multipart/form-data');
    if (isMultipart || queue === 'image') await this.disk.requireSpace();
    if (isMultipart) {
      const limit = (content: Readable) => this.rates.limit(userId, content);
      return this.receive(userId, () => readMultipart(request, files, this.spool, limit));
    }
    return { fields: await this.bodies.readObject(request, response, JSON_MAX_BYTES), files: [] };
  }

  private async receive<T>(userId: string, read: () => Promise<T>): Promise<T> {
    const arriving = this.uploads.get(userId) ?? 0;
    if (arriving >= this.uploadsPerUser) {
      throw new AppError(
        'RATE_LIMITED',
        `${this.uploadsPerUser} of your files are arriving already. Send this one once they are here.`,
      );
    }
    this.uploads.set(userId, arriving + 1);
    try {
      return await read();
    } finally {
      const others = this.uploads.get(userId)! - 1;
      if (others > 0) this.uploads.set(userId, others);
      else this.uploads.delete(userId);
    }
  }
}

/** @throws AppError VALIDATION_FAILED with every wrong or missing field */
function validate<Input>(tool: RequestContract<Input>, fields: unknown, files: ReadonlySet<string>): Input {
  const source = sourceOf(fields);
  const missing = Object.entries(tool.files ?? {})
    .filter(isMissing(files, source))
    .map(([field, { missing }]) => ({ message: missing, path: [field] }));
  const input = tool.input.safeParse(withoutPastedControls(fields));
  if (missing.length > 0 || !input.success)
    throw validationError([...missing, ...(input.error?.issues ?? [])]);
  const wrong = checkOneImage(tool, files, source) ?? tool.check?.(input.data, files);
  if (wrong) throw new AppError('VALIDATION_FAILED', wrong.message, { details: [wrong] });
  return input.data;
}

const isMissing =
  (files: ReadonlySet<string>, source: string | undefined) =>
  ([name, { required, orCreation }]: [string, FileField]) =>
    required && !files.has(name) && !(orCreation && source !== undefined);

function checkOneImage(
  tool: Pick<RequestContract<unknown>, 'files'>,
  files: ReadonlySet<string>,
  source: string | undefined,
): FieldError | null {
  const [field] = Object.keys(tool.files ?? {}).filter((name) => tool.files?.[name]?.orCreation);
  if (source === undefined || field === undefined || !files.has(field)) return null;
  return { field, message: 'Send a file or a creation, not both.' };
}
