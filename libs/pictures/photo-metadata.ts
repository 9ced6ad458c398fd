import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
// exif-reader 2.0.3, MIT, 90 kB: reads the tags of an EXIF block, of which few are written again.
import readExif from 'exif-reader';
import sharp from 'sharp';

/** What a photo says about its making, without place, camera or orientation. */
export interface PhotoMetadata {
  /** "2026:05:01 10:30:00", in the camera's time zone. */
  takenAt?: string;
  artist?: string;
  copyright?: string;
}

const MAX_TEXT = 500;

/** Reads the details from a picture's EXIF block; empty if it has none. */
export async function readPhotoMetadata(bytes: Uint8Array): Promise<PhotoMetadata> {
  try {
    const { exif } = await sharp(bytes).metadata();
    if (!exif) return {};
    const { Image: image = {}, Photo: photo = {} } = readExif(exif);
    const details = {
      takenAt: exifDate(photo.DateTimeOriginal ?? image.DateTime),
      artist: textOf(image.Artist),
      copyright: textOf(image.Copyright),
    };
    return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  } catch {
    // A picture whose EXIF block is damaged is a picture without one.
    return {};
  }
}

/** exif-reader reads the camera's date as if it was in UTC. */
function exifDate(date: unknown): string | undefined {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) return undefined;
  return date.toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':');
}

/** exif-reader leaves a text that is not ASCII in bytes. Programs write UTF-8, older ones Latin-1. */
function textOf(value: unknown): string | undefined {
  const text = Buffer.isBuffer(value) ? value.toString(isUtf8(value) ? 'utf8' : 'latin1') : value;
  if (typeof text !== 'string') return undefined;
  return text.replaceAll('\0', ' ').trim().slice(0, MAX_TEXT) || undefined;
}

/** The signature and the IHDR chunk, after which `eXIf` may stand. */
const PNG_HEADER_BYTES = 33;

/** Adds the details to a PNG, as an `eXIf` chunk (https://www.w3.org/TR/png-3/#eXIf). */
export function addPhotoMetadata(png: Uint8Array, details: PhotoMetadata): Uint8Array {
  if (Object.keys(details).length === 0) return png;
  const data = Buffer.concat([Buffer.from('eXIf'), tiffOf(details)]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length - 4);
  check.writeUInt32BE(crc32(data));
  return Buffer.concat([
    png.subarray(0, PNG_HEADER_BYTES),
    ...[length, data, check],
    png.subarray(PNG_HEADER_BYTES),
  ]);
}

const tags = { dateTime: 0x0132, artist: 0x013b, copyright: 0x8298, photo: 0x8769, dateTimeOriginal: 0x9003 };
const [ASCII, LONG] = [2, 4];

type Entry = [tag: number, value: string | number];

/** A TIFF structure, big-endian, with one directory, and a second one for the date (EXIF 2.3, section 4.6). */
function tiffOf({ takenAt, artist, copyright }: PhotoMetadata): Buffer {
  const entries: Entry[] = [
    ...(takenAt === undefined ? [] : [[tags.dateTime, takenAt] satisfies Entry]),
    ...(artist === undefined ? [] : [[tags.artist, artist] satisfies Entry]),
    ...(copyright === undefined ? [] : [[tags.copyright, copyright] satisfies Entry]),
  ];
  const header = Buffer.from('MM\0*\0\0\0\b', 'latin1');
  if (takenAt === undefined) return Buffer.concat([header, directory(entries, 8)]);
  const withLink = (at: number) =>
    directory(
      [...entries, [tags.photo, at] satisfies Entry].sort(([a], [b]) => a - b),
      8,
    );
  const at = 8 + withLink(0).length;
  return Buffer.concat([header, withLink(at), directory([[tags.dateTimeOriginal, takenAt]], at)]);
}

/** A directory that begins at `offset`, with its texts behind it. */
function directory(entries: Entry[], offset: number): Buffer {
  const table = Buffer.alloc(2 + 12 * entries.length + 4);
  table.writeUInt16BE(entries.length);
  const texts: Buffer[] = [];
  let end = offset + table.length;
  entries.forEach(([tag, value], k) => {
    const at = 2 + 12 * k;
    table.writeUInt16BE(tag, at);
    table.writeUInt16BE(typeof value === 'string' ? ASCII : LONG, at + 2);
    if (typeof value === 'number') {
      table.writeUInt32BE(1, at + 4);
      table.writeUInt32BE(value, at + 8);
      return;
    }
    const text = Buffer.from(`${value}\0`);
    table.writeUInt32BE(text.length, at + 4);
    // A text of up to four bytes stands in the entry itself.
    if (text.length <= 4) text.copy(table, at + 8);
    else {
      table.writeUInt32BE(end, at + 8);
      const padded = text.length % 2 === 0 ? text : Buffer.concat([text, Buffer.alloc(1)]);
      texts.push(padded);
      end += padded.length;
    }
  });
  return Buffer.concat([table, ...texts]);
}
