import { readFile } from 'node:fs/promises';
import sharp from 'sharp';

/**
 * A real photograph with a free licence, scaled to at most 1,000 pixels. `photographs/photographs.tsv` lists all
 * photographs with their Debian package and file, author, licence and address.
 */
export interface Photograph {
  name: string;
  half: 'tuning' | 'report';
  jpeg: Buffer;
  /** The mask of the subject, corrected by hand: one byte of opacity for each pixel. */
  mask: Mask | null;
  /** An object that the detector has a name for, and its box. */
  shows: { name: string; box: Box } | null;
  /** Names of other objects in the photograph, or of objects that others can be mistaken for. */
  also: string[];
  /** Why the cut-out is not usable, judged by eye; empty where it is usable. */
  fault: string;
}

export interface Mask {
  alpha: Buffer;
  width: number;
  height: number;
}

/** Edges as shares of the picture, 0 to 1. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const FOLDER = new URL('./photographs/', import.meta.url);

export async function readPhotographs(): Promise<Photograph[]> {
  const [header = '', ...lines] = (await readFile(new URL('photographs.tsv', FOLDER), 'utf8'))
    .trim()
    .split('\n');
  const columns = header.split('\t');
  return Promise.all(
    lines.map((line) => {
      const cells = line.split('\t');
      return readPhotograph((column) => cells[columns.indexOf(column)] ?? '');
    }),
  );
}

async function readPhotograph(cell: (column: string) => string): Promise<Photograph> {
  const name = cell('name');
  const mask = cell('mask') === 'yes' ? await readMask(name) : null;
  const shows = cell('shows');
  return {
    name,
    half: cell('half') === 'report' ? 'report' : 'tuning',
    jpeg: await readFile(new URL(`${name}.jpg`, FOLDER)),
    mask,
    shows: shows ? { name: shows, box: toBox(cell('box')) ?? (mask ? boxOf(mask) : WHOLE) } : null,
    also: cell('also').split(', '),
    fault: cell('fault'),
  };
}

const WHOLE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

/** Parses four shares, separated by spaces. */
function toBox(cell: string): Box | null {
  const [left, top, right, bottom] = cell.split(' ').map(Number);
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
  return { left, top, right, bottom };
}

async function readMask(name: string): Promise<Mask> {
  const png = sharp(await readFile(new URL(`${name}.png`, FOLDER))).extractChannel(0);
  const { data, info } = await png.raw().toBuffer({ resolveWithObject: true });
  return { alpha: data, width: info.width, height: info.height };
}

function boxOf({ alpha, width, height }: Mask): Box {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let i = 0; i < alpha.length; i += 1) {
    if ((alpha[i] as number) < 128) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  return { left: left / width, right: right / width, top: top / height, bottom: bottom / height };
}
