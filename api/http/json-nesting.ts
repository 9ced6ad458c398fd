import { AppError } from '#libs/contract/errors.js';

/** Depth of lists and objects in a body. No call needs more than 10. */
const DEPTH_MAX = 100;
/** Lists, objects, strings and commas of a body. No call needs more than 3,000. */
const PARTS_MAX = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON that takes long to parse for its size: 2 MB of brackets block the event loop for 0.2 seconds. Reads the bytes
 * once, and does not check whether they are valid JSON.
 * @param body JSON in UTF-8
 * @throws AppError VALIDATION_FAILED
 */
export function checkNesting(body: Buffer): void {
  let depth = 0;
  let parts = 0;
  for (let i = 0; i < body.length; i += 1) {
    const byte = body[i];
    if (byte === LIST_END || byte === OBJECT_END) depth -= 1;
    if (byte !== QUOTE && byte !== COMMA && byte !== LIST && byte !== OBJECT) continue;
    parts += 1;
    if (parts > PARTS_MAX) throw refusal('The body has too many values.');
    if (byte === QUOTE) i = endOfString(body, i + 1);
    if (byte === LIST || byte === OBJECT) depth += 1;
    if (depth > DEPTH_MAX) throw refusal(`The body is nested too deeply: at most ${DEPTH_MAX} levels.`);
  }
}

const refusal = (message: string) => new AppError('VALIDATION_FAILED', message);

/** @returns the index of the closing quote; the length of the body if there is none */
function endOfString(body: Buffer, start: number): number {
  const quote = body.indexOf(QUOTE, start);
  if (quote === -1) return body.length;
  // Most strings, and the content of files, have no escaped quote.
  if (body[quote - 1] !== BACKSLASH) return quote;
  let i = start;
  while (i < body.length && body[i] !== QUOTE) i += body[i] === BACKSLASH ? 2 : 1;
  return i;
}
