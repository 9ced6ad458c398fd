import { EngineError } from '#libs/contract/engine.js';
import { emptyAnswer } from './openai-errors.js';

export interface ImagePayload {
  b64_json?: string | null;
  url?: string | null;
  /** The image itself. */
  bytes?: Buffer;
}

/** Maximum bytes of an image from a provider. Suffices for an uncompressed image of twice the largest width and height. */
const IMAGE_MAX_BYTES = 32 * 1024 * 1024;

type ImageServer = { baseUrl: string; apiKey: string; imageHosts: readonly string[] };

/**
 * Reads a returned image, and refuses drawings in SVG, which sharp would draw. To prevent server-side request forgery, it fetches
 * only `data:` URLs, URLs of the configured server's origin, and HTTPS URLs of `imageHosts`, and does not follow redirects.
 * @throws EngineError if the response has no image, or has a URL of another host
 */
export async function readImageBytes(
  image: ImagePayload,
  server: ImageServer,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = await readBytes(image, server, signal);
  if (isSvg(bytes)) throw isDrawing();
  return bytes;
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** libvips finds SVG by this tag in the first 1,000 characters, also in UTF-16, and unpacks it. */
const isSvg = (bytes: Buffer): boolean =>
  bytes.subarray(0, 2).equals(GZIP) || /<svg/i.test(bytes.toString('latin1', 0, 2_000).replaceAll('\0', ''));

async function readBytes(
  image: ImagePayload,
  { baseUrl, apiKey, imageHosts }: ImageServer,
  signal: AbortSignal,
): Promise<Buffer> {
  if (image.bytes) return image.bytes;
  if (image.b64_json) return fromBase64(image.b64_json.replace(/^data:[^,]*,/, ''));
  if (!image.url) throw emptyAnswer();
  const data = /^data:image\/[a-z+.-]+;base64,(.*)$/is.exec(image.url);
  if (data) return fromBase64(data[1] ?? '');
  if (!URL.canParse(image.url, baseUrl)) throw emptyAnswer();
  const url = new URL(image.url, baseUrl);
  const isOwn = url.origin === new URL(baseUrl).origin;
  if (!isOwn && !(url.protocol === 'https:' && imageHosts.includes(url.host))) throw otherHost(url.host);

  const response = await fetch(url, {
    headers: isOwn ? { authorization: `Bearer ${apiKey}` } : {},
    redirect: 'manual',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    const { status } = response;
    if (status >= 300 && status < 400) throw redirected();
    throw downloadFailed(`HTTP ${status}`, status >= 500 || status === 429);
  }
  return readLimited(response);
}

function fromBase64(text: string): Buffer {
  if (text.length > (IMAGE_MAX_BYTES * 4) / 3) throw tooLarge();
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0) throw emptyAnswer();
  return bytes;
}

/** Reads a body of at most 32 MB. @throws EngineError if it is empty or larger */
export async function readLimited(response: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > IMAGE_MAX_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  if (size === 0) throw emptyAnswer();
  return Buffer.concat(pieces);
}

const otherHost = (host: string) =>
  new EngineError(
    `The AI service put the picture on another server, ${host}, from which nothing is fetched. An operator needs to add this host to AI_IMAGE_HOSTS, or set AI_IMAGE_MODEL to a model that sends the picture itself.`,
    { retryable: false },
  );

const redirected = () =>
  new EngineError(
    'The AI service forwards the picture’s address to another server, from which nothing is fetched. An operator needs to set AI_IMAGE_MODEL to a model that sends the picture itself.',
    { retryable: false },
  );

const downloadFailed = (what: string, retryable: boolean) =>
  new EngineError('The AI service made a picture that could not be fetched from it. Try again.', {
    retryable,
    cause: new Error(what),
  });

const isDrawing = () =>
  new EngineError(
    'The AI service answered with a drawing in SVG in place of a picture. An operator needs to set AI_IMAGE_MODEL to a model that sends PNG, JPEG or WebP.',
    { retryable: false },
  );

const tooLarge = () =>
  new EngineError('The AI service answered with a picture that is too large.', { retryable: false });
