import { APIError } from 'openai';
import { isPage, readError } from './error-body.js';
import { readLimited, type ImagePayload } from './image-bytes.js';
import { emptyAnswer, isAboutContent } from './openai-errors.js';
import type { SentUsage } from './token-usage.js';

export interface ImagesAnswer {
  image: ImagePayload;
  usage?: SentUsage;
}

/** Names under which services send a picture, or an object or list that has it. */
const BYTES = ['b64_json', 'b64', 'base64', 'image_base64'];
const ADDRESSES = ['url', 'image_url'];
const CONTAINERS = [
  'data',
  'images',
  'image',
  'image_url',
  'output',
  'result',
  'choices',
  'message',
  'content',
];
const MAX_DEPTH = 6;
const MAX_ENTRIES = 20;

/**
 * Reads the first picture of an answer in any of the forms that services use: the bytes themselves, OpenAI's `data`, other
 * lists, or a message of a chat.
 * @throws APIError for an error that the server sent with status 200, and for a web page (404)
 * @throws EngineError if there is neither a picture nor an error
 */
export async function readImagesAnswer(response: Response): Promise<ImagesAnswer> {
  const type = response.headers.get('content-type') ?? '';
  const bytes = /^(image\/|application\/octet-stream)/.test(type) ? await readLimited(response) : null;
  const isPicture =
    bytes !== null && (type.startsWith('image/') || !/^\s*[{[<]/.test(bytes.toString('latin1', 0, 20)));
  if (isPicture) return { image: { bytes } };
  const text = bytes?.toString() ?? (await response.text());
  const fail = (status: number) =>
    APIError.generate(status, { error: readError(text) }, undefined, response.headers);
  if (isPage(text)) throw fail(404);
  const body = JSON.parse(text) as Record<string, unknown>;
  const image = body['error'] ? null : imageIn(body);
  if (image) return { image, usage: body['usage'] as SentUsage | undefined };
  if (body['error'] || body['errors'] || body['success'] === false || isAboutContent(text))
    throw fail(statusOf(readError(text).code));
  // A service that only accepts a task, to be asked for later.
  if (/"(task|job|prediction)_?id"/i.test(text)) throw fail(501);
  throw emptyAnswer();
}

const statusOf = (code: unknown) => (Number(code) >= 400 && Number(code) < 600 ? Number(code) : 500);

function imageIn(value: unknown, depth = 0): ImagePayload | null {
  if (depth > MAX_DEPTH || !value) return null;
  if (typeof value === 'string') return imageInText(value);
  if (Array.isArray(value)) return firstOf(value.slice(0, MAX_ENTRIES), depth);
  if (typeof value !== 'object') return null;
  const fields = value as Record<string, unknown>;
  const textOf = (names: string[]) => {
    const name = names.find((one) => typeof fields[one] === 'string' && fields[one] !== '');
    return name === undefined ? undefined : (fields[name] as string);
  };
  const bytes = textOf(BYTES);
  if (bytes !== undefined) return { b64_json: bytes };
  const url = textOf(ADDRESSES);
  if (url !== undefined) return { url };
  return firstOf(
    CONTAINERS.map((name) => fields[name]),
    depth,
  );
}

function firstOf(values: unknown[], depth: number): ImagePayload | null {
  for (const value of values) {
    const image = imageIn(value, depth + 1);
    if (image) return image;
  }
  return null;
}

/** A picture in a text: the text itself, or a link in Markdown. */
function imageInText(text: string): ImagePayload | null {
  const link =
    /!\[[^\]]{0,500}\]\(\s*([^)\s]+)/.exec(text)?.[1] ??
    /data:image\/[a-z+.-]+;base64,[\w+/=-]+/i.exec(text)?.[0];
  if (link !== undefined) return { url: link };
  if (/^https?:\/\/\S+$/i.test(text)) return { url: text };
  return text.length > 64 && /^[\w+/-]+={0,2}\s*$/.test(text) ? { b64_json: text } : null;
}
