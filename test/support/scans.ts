import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { renderPage } from '#libs/documents/render-page.js';

/** Defects of a scanned page. */
export type ScanGrade = 'clean' | 'scanner' | 'phone';

export interface ScanOptions {
  grade?: ScanGrade;
  /** Degrees, clockwise, that the paper lay in the scanner: 0, 90, 180 or 270. */
  turned?: number;
}

const tables = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** A PDF whose pages are pictures of another PDF's pages, as from a scanner or a phone. */
export async function scanPdf(pdf: Uint8Array, options: ScanOptions = {}): Promise<Buffer> {
  return picturesToPdf(await picturesOf(pdf, options));
}

/** The pages of a PDF as JPEG pictures. */
export async function picturesOf(
  pdf: Uint8Array,
  { grade = 'clean', turned = 0 }: ScanOptions = {},
): Promise<Buffer[]> {
  const document = await getDocument({
    data: new Uint8Array(pdf),
    standardFontDataUrl: join(tables, 'standard_fonts/'),
    verbosity: 0,
  }).promise;
  const pictures: Buffer[] = [];
  for (let page = 1; page <= document.numPages; page += 1) {
    const drawn = await renderPage(document, page, []);
    if (!drawn) throw new Error(`Page ${page} is empty.`);
    const { data, width, height } = drawn;
    const upright = await sharp(data, { raw: { width, height, channels: 1 } })
      .rotate(turned)
      .png({ compressionLevel: 1 })
      .toBuffer();
    pictures.push(await grades[grade](upright, page));
  }
  await document.destroy();
  return pictures;
}

/** A PDF with a picture on each page and nothing else. */
export async function picturesToPdf(pictures: Buffer[]): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, info: { CreationDate: new Date(0) } });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.once('end', resolve));
  for (const picture of pictures) {
    const { width, height } = await sharp(picture).metadata();
    const size: [number, number] =
      width > height ? [842, (842 * height) / width] : [(842 * width) / height, 842];
    document.addPage({ size, margin: 0 });
    document.image(picture, 0, 0, { width: size[0], height: size[1] });
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

const grades: Record<ScanGrade, (page: Buffer, seed: number) => Promise<Buffer>> = {
  /** 300 pixels an inch, straight. */
  clean: (page) => sharp(page).greyscale().jpeg({ quality: 90 }).toBuffer(),

  /** 200 pixels an inch, a little slanted, grey paper, noise, much compressed. */
  scanner: async (page, seed) => {
    const { width = 0 } = await sharp(page).metadata();
    const slanted = await sharp(page)
      .greyscale()
      .resize({ width: Math.round((width * 2) / 3) })
      .rotate(0.7, { background: 'white' })
      .blur(0.6)
      .linear(0.8, 38)
      .png({ compressionLevel: 1 })
      .toBuffer();
    return sharp(await shade(slanted, seed, { noise: 7, light: () => 1 }))
      .jpeg({ quality: 60 })
      .toBuffer();
  },

  /** Taken by hand: slanted and sheared, on a dark table, in uneven light with a shadow, out of focus, with noise. */
  phone: async (page, seed) => {
    const { width = 0 } = await sharp(page).metadata();
    const slanted = await sharp(page)
      .greyscale()
      .resize({ width: Math.round(width * 0.8) })
      .affine([1, 0.025, -0.015, 1], { background: '#3a3430' })
      .rotate(-2.2, { background: '#3a3430' })
      .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#3a3430' })
      .blur(0.9)
      .linear(0.72, 45)
      .greyscale()
      .png({ compressionLevel: 1 })
      .toBuffer();
    const light = (x: number, y: number) => (1 - 0.35 * x - 0.15 * y) * (x + y > 1.45 ? 0.72 : 1);
    return sharp(await shade(slanted, seed, { noise: 10, light }))
      .jpeg({ quality: 55 })
      .toBuffer();
  },
};

/** Multiplies a grey picture with a light that depends on the place (in shares), and adds noise. */
async function shade(
  picture: Buffer,
  seed: number,
  { noise, light }: { noise: number; light: (x: number, y: number) => number },
): Promise<Buffer> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  // Park and Miller's: looking up globals such as Math is slow in the contexts of Jest.
  let state = seed;
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += channels) {
      // The sum of three has about the distribution of noise.
      const grain = (random() + random() + random() - 1.5) * 2 * noise;
      pixels[at] = (pixels[at] as number) * light(x / width, y / height) + grain;
    }
  }
  return sharp(data, { raw: { width, height, channels } }).png({ compressionLevel: 1 }).toBuffer();
}
