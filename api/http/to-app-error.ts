import { HttpException } from '@nestjs/common';
import { AppError, errorStatus, type ErrorCode } from '#libs/contract/errors.js';
import { isDatabaseUnavailable, isDeadlock, isNoText, isStatementEnded } from '#libs/database/sql.js';
import { diskFull, isDiskFull } from '#libs/storage/disk-space.js';
import { StoreError } from '#libs/storage/object-store.js';

/** Converts any error to an AppError. Unknown errors become `INTERNAL`; their original message is only logged. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return diskFull(error);
  const [code, message] = adapterFailure(error) ?? requestFailure(error) ?? UNKNOWN;
  return new AppError(code, message, { cause: error });
}

type Failed = readonly [code: ErrorCode, message: string];

const UNKNOWN: Failed = [
  'INTERNAL',
  'Something went wrong on our side. Try again; if the problem persists, send us the request ID.',
];

function adapterFailure(error: unknown): Failed | undefined {
  if (isDatabaseUnavailable(error))
    return [
      'UNAVAILABLE',
      'The database is not reachable at the moment. Nothing was charged; try again shortly.',
    ];
  if (isStatementEnded(error) || isDeadlock(error))
    return ['UNAVAILABLE', 'The database is too busy to answer this in time. Try again shortly.'];
  if (isNoText(error)) return ['VALIDATION_FAILED', 'The request contains invalid characters.'];
  if (error instanceof StoreError)
    return [
      'UNAVAILABLE',
      'Files cannot be stored or read at the moment. Nothing was charged; try again shortly.',
    ];
  return undefined;
}

function requestFailure(error: unknown): Failed | undefined {
  const status = clientErrorStatus(error);
  return status === undefined ? undefined : [codeOf(status), messageOf(status, error)];
}

function clientErrorStatus(error: unknown): number | undefined {
  if (error instanceof URIError) return 400;
  const status =
    error instanceof HttpException ? error.getStatus() : (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

function codeOf(status: number): ErrorCode {
  if (status === 403) return 'FORBIDDEN';
  const known: ErrorCode[] = ['UNAUTHENTICATED', 'NOT_FOUND', 'FILE_TOO_LARGE', 'RATE_LIMITED'];
  return known.find((code) => errorStatus[code] === status) ?? 'VALIDATION_FAILED';
}

const bodyMessages: Record<string, string> = {
  'entity.parse.failed': 'The body is not valid JSON.',
  'entity.too.large': 'The request is larger than this call accepts.',
  'encoding.unsupported': 'Send the body uncompressed, without the header Content-Encoding.',
  'request.aborted': 'The request ended before its body was complete.',
  'request.size.invalid': 'The body is not as long as Content-Length says.',
};

function messageOf(status: number, error: unknown): string {
  const { type } = error as { type?: unknown };
  if (typeof type === 'string' && Object.hasOwn(bodyMessages, type)) return bodyMessages[type]!;
  if (error instanceof URIError || /^Failed to decode param/.test((error as Error).message)) {
    return 'The address contains an invalid percent sign.';
  }
  if (error instanceof HttpException) return status === 404 ? notFoundMessage(error) : error.message;
  if (status === 404) return 'There is nothing at this address.';
  return 'The request is not valid.';
}

/** Rewords Nest's message for a missing route, "Cannot GET /path". */
const notFoundMessage = ({ message }: HttpException) =>
  /^Cannot [A-Z]+ /.test(message)
    ? `There is no such call: ${message.slice('Cannot '.length, 200)}`
    : message;
