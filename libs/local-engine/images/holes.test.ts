import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { wholeOf } from './area.js';
import { cutHoles } from './holes.js';
import { decodeImage, type RgbaImage } from './raster.js';

const [WIDTH, HEIGHT] = [600, 400];
const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${content}</svg>`);
const PHOTOGRAPHS = 'scripts/quality/images/photographs';

const grounds = {
  white: '<rect width="100%" height="100%" fill="#fcfcfc"/>',
  gradient:
    '<defs><linearGradient id="g" x2="0.3" y2="1"><stop stop-color="#d5dbe2"/><stop offset="1" stop-color="#9aa6b1"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>',
};
const shapes = {
  ring: '<circle cx="300" cy="200" r="120" fill="none" stroke="#000" stroke-width="60"/>',
  frame: '<path fill-rule="evenodd" d="M120 60h360v280H120zM170 110v180h260V110z"/>',
  letters: '<text x="40" y="290" font-size="250" font-family="DejaVu Sans" font-weight="bold">BOA</text>',
};

/** A photograph in a shape, before a ground with some noise, as a camera takes it. */
async function before(ground: string, shape: string, photograph = 'macaw'): Promise<RgbaImage> {
  const paper = await sharp(svg(ground)).removeAlpha().png().toBuffer();
  const noise = { type: 'gaussian', mean: 128, sigma: 3 } as const;
  const grain = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#808080', noise },
  })
    .png()
    .toBuffer();
  const mask = await sharp(svg(shape)).extractChannel(3).toBuffer();
  const own = sharp(`${PHOTOGRAPHS}/${photograph}.jpg`).resize(WIDTH, HEIGHT).modulate({ brightness: 0.5 });
  const subject = await sharp(await own.png().toBuffer())
    .joinChannel(mask)
    .png()
    .toBuffer();
  const layers = [{ input: grain, blend: 'soft-light' as const }, { input: subject }];
  return decodeImage(await sharp(paper).composite(layers).jpeg({ quality: 92 }).toBuffer());
}

/** Whether a pixel is opaque after the holes of a subject are cut whose outline has been filled. */
async function cut(photo: RgbaImage, outline: string) {
  const alpha = await sharp(svg(outline)).extractChannel(3).raw().toBuffer();
  await cutHoles(photo, wholeOf(photo), alpha);
  return (x: number, y: number) => alpha[y * WIDTH + x] as number;
}

it.each(['white', 'gradient'] as const)('cuts the hole of a ring on a %s ground', async (ground) => {
  const alphaAt = await cut(
    await before(grounds[ground], shapes.ring),
    '<circle cx="300" cy="200" r="150"/>',
  );
  expect([alphaAt(300, 200), alphaAt(300, 130), alphaAt(230, 230)]).toEqual([0, 0, 0]);
  expect([alphaAt(300, 80), alphaAt(180, 200), alphaAt(300, 320)]).toEqual([255, 255, 255]);
});

it('cuts the inside of a frame, and the holes of letters', async () => {
  const inFrame = await cut(await before(grounds.white, shapes.frame), '<path d="M120 60h360v280H120z"/>');
  expect([inFrame(300, 200), inFrame(140, 200)]).toEqual([0, 255]);
  const photo = await before(grounds.gradient, shapes.letters);
  const filled = shapes.letters.replace('<text', '<text stroke="#000" stroke-width="50"');
  const alphaAt = await cut(photo, filled);
  let [holes, letters] = [0, 0];
  const shape = await sharp(svg(shapes.letters)).extractChannel(3).raw().toBuffer();
  for (let i = 0; i < shape.length; i += 1) {
    const alpha = alphaAt(i % WIDTH, Math.floor(i / WIDTH));
    if (shape[i] === 0 && alpha === 0) holes += 1;
    if (shape[i] === 255 && alpha < 250) letters += 1;
  }
  expect(holes).toBeGreaterThan(2_000);
  expect(letters / shape.length).toBeLessThan(0.01);
});

it.each(['astronaut', 'panda', 'sheep', 'cow'])('keeps the white parts of %s before white', async (name) => {
  const mask = sharp(`${PHOTOGRAPHS}/${name}.png`).extractChannel(0);
  const { data, info } = await mask.raw().toBuffer({ resolveWithObject: true });
  const raw = { raw: { width: info.width, height: info.height, channels: 1 as const } };
  const jpeg = await sharp(`${PHOTOGRAPHS}/${name}.jpg`)
    .resize(info.width, info.height, { fit: 'fill' })
    .joinChannel(data, raw)
    .png()
    .toBuffer()
    .then((subject) => sharp(subject).flatten({ background: '#fcfcfc' }).jpeg({ quality: 92 }).toBuffer());
  const photo = await decodeImage(jpeg);
  const alpha = Uint8Array.from(data);
  await cutHoles(photo, wholeOf(photo), alpha);
  const lost = alpha.filter((value, i) => value < (data[i] as number) - 8).length;
  expect(lost / alpha.length).toBeLessThan(0.001);
});

it('cuts nothing before a ground with a pattern', async () => {
  const stripes = Array.from(
    { length: 30 },
    (_, i) => `<rect x="${i * 20}" width="10" height="400" fill="#557"/>`,
  );
  const photo = await before(grounds.white + stripes.join(''), shapes.ring);
  const alphaAt = await cut(photo, '<circle cx="300" cy="200" r="150"/>');
  expect(alphaAt(300, 200)).toBe(255);
});
