import { unsupportedDocument } from './refusals.js';

/** Bytes of an HTML file in which it must declare its encoding. */
const DECLARATION_BYTES = 1024;
const SAMPLE_BYTES = 64 * 1024;
// eslint-disable-next-line no-control-regex -- matching control characters is the purpose
const UNPRINTABLE = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g;

/**
 * Decodes a text file: by its byte order mark, as UTF-16 by its zero bytes, by the encoding that an HTML file declares, as
 * UTF-8, or else as windows-1252.
 * @throws AppError UNSUPPORTED_FILE if the file is no text
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = byMark(bytes) ?? byZeros(bytes);
  const text = marked ? new TextDecoder(marked).decode(bytes) : decodeUnmarked(bytes);

  const strange = text.slice(0, SAMPLE_BYTES).match(UNPRINTABLE)?.length ?? 0;
  if (strange > Math.min(text.length, SAMPLE_BYTES) / 100 || text.includes('\0'))
    throw unsupportedDocument('unknown');
  return text;
}

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** In UTF-16, every second byte of a Latin text is zero. */
function byZeros(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (!sample.includes(0)) return undefined;
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte === 0 && index % 2 === 0) even += 1;
    else if (byte === 0) odd += 1;
  });
  const half = sample.length / 2;
  if (odd > half * 0.3 && even < half * 0.05) return 'utf-16le';
  if (even > half * 0.3 && odd < half * 0.05) return 'utf-16be';
  return undefined;
}

function decodeUnmarked(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const label =
    /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];
  return (
    decodeAs('utf-8', bytes, true) ??
    // A file that declares UTF-16 in single bytes is not UTF-16.
    (label && !/^utf-?16/i.test(label) ? decodeAs(label, bytes, false) : null) ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

/** @returns null for an unknown encoding, or bytes that are wrong in it */
function decodeAs(encoding: string, bytes: Uint8Array, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return null;
  }
}
