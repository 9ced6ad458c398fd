import { EngineError } from '#libs/contract/engine-error.js';
import { answerEmpty } from './errors.js';

/** A picture as servers answer it: the bytes in Base64, or an address to read them from. */
export interface AnsweredPicture {
  b64_json?: string | null;
  url?: string | null;
}

/** Bytes of the largest picture taken from a provider: a PNG of twice the largest size we ask for, uncompressed. */
const PICTURE_MAX_BYTES = 32 * 1024 * 1024;

/**
 * The bytes of an answered picture. An address is read only where it cannot lead elsewhere: a `data:` address, or
 * one with the origin of the configured server, without redirects. A provider's answer is no reason to send
 * requests into our own network.
 * @throws EngineError when there is no picture in the answer, or it lies elsewhere
 */
export async function readPicture(
  picture: AnsweredPicture,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  signal: AbortSignal,
): Promise<Buffer> {
  if (picture.b64_json) return fromBase64(picture.b64_json.replace(/^data:[^,]*,/, ''));
  if (!picture.url) throw answerEmpty();
  const data = /^data:image\/[a-z+.-]+;base64,(.*)$/is.exec(picture.url);
  if (data) return fromBase64(data[1] ?? '');
  if (!hasOrigin(picture.url, new URL(baseUrl).origin)) throw liesElsewhere();

  const response = await fetch(picture.url, {
    headers: { authorization: `Bearer ${apiKey}` },
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw notReadable(`HTTP ${response.status}`, response.status >= 500 || response.status === 429);
  }
  return readBounded(response);
}

function fromBase64(text: string): Buffer {
  if (text.length > (PICTURE_MAX_BYTES * 4) / 3) throw tooLarge();
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0) throw answerEmpty();
  return bytes;
}

const hasOrigin = (address: string, origin: string) =>
  URL.canParse(address) && new URL(address).origin === origin;

async function readBounded(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > PICTURE_MAX_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  if (size === 0) throw answerEmpty();
  return Buffer.concat(pieces);
}

const liesElsewhere = () =>
  new EngineError(
    'The AI service answered with the address of a picture on another server, which is not followed. ' +
      'An operator needs to check AI_IMAGE_MODEL: the picture itself (b64_json) is needed.',
    { retryable: false },
  );

const notReadable = (what: string, retryable: boolean) =>
  new EngineError('The AI service made a picture that could not be fetched from it. Try again.', {
    retryable,
    cause: new Error(what),
  });

const tooLarge = () =>
  new EngineError('The AI service answered with a picture that is too large.', { retryable: false });
