import type { Request } from 'express';
import { type AppError } from '#libs/contract/errors.js';
import { toAppError } from './to-app-error.js';

/**
 * Reads the body of a request into memory.
 * @param limit maximum bytes
 * @param onBytes called with the bytes of each chunk that arrives; the body is refused if it throws
 * @throws AppError VALIDATION_FAILED if it is compressed or the connection closes; FILE_TOO_LARGE
 */
export async function readBody(
  request: Request,
  limit: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const { headers } = request;
  // 2 kB of gzip can become 2 MB of JSON.
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw failure(400, 'encoding.unsupported');
  if (Number(headers['content-length'] ?? 0) > limit) throw failure(413, 'entity.too.large');
  if (request.destroyed) throw failure(400, 'request.aborted');
  const chunks: Buffer[] = [];
  let length = 0;
  const { promise: end, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    try {
      if (length > limit) throw failure(413, 'entity.too.large');
      onBytes(chunk.length);
      chunks.push(chunk);
    } catch (error) {
      request.off('data', onData).pause();
      reject(error);
    }
  };
  const onClose = () => reject(failure(400, 'request.aborted'));
  const onEnd = () => {
    // Each request closes: without this, each would create an error with its stack.
    request.off('close', onClose);
    resolve();
  };
  request.once('end', onEnd).once('close', onClose).once('error', onClose).on('data', onData);
  await end;
  return Buffer.concat(chunks, length);
}

const failure = (status: number, type: string): AppError => toAppError({ status, type });
