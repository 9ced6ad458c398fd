import sharp from 'sharp';
import { z } from 'zod';
import { Random } from '../../stack/random.ts';
import { readYaml } from '../../stack/read-yaml.ts';

// Jest makes each access to a global slow, and these run for every pixel.
const { floor, max, min, round } = Math;

/** A picture with an object, the same picture without the object, and a mask painted over the object. */
export interface ObjectScene {
  name: string;
  hard: boolean;
  photo: Buffer;
  /** The picture without the object, PNG. */
  clean: Buffer;
  /** White on black, PNG. */
  mask: Buffer;
  width: number;
  height: number;
}

const sceneSchema = z.object({
  name: z.string(),
  hard: z.boolean().default(false),
  background: z.string(),
  backgroundBlur: z.number().optional(),
  /** Strength of a fine texture over the background, and its stretch. */
  texture: z.object({ strength: z.number(), across: z.number(), down: z.number() }).optional(),
  object: z.string(),
  painted: z.string(),
  /** Standard deviation of the noise. */
  noise: z.number(),
});
type Scene = z.infer<typeof sceneSchema>;

const W = 1000;
const H = 750;

/** Forty soft spots in three colours; the same on every machine. */
function spots(): string {
  const random = new Random(3);
  const colours = ['#7a5f4c', '#9c8069', '#6d5342'];
  return Array.from({ length: 40 }, () => {
    const [x, y, r] = [random.next() * W, random.next() * H, 50 + random.next() * 90];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${random.pick(colours)}" opacity="0.7"/>`;
  }).join('');
}

const bricks = () =>
  Array.from({ length: 15 * 11 }, (_, index) => {
    const [row, k] = [floor(index / 11), index % 11];
    const tone = 120 + ((row * 7 + k * 13) % 5) * 12;
    return `<rect x="${k * 100 - (row % 2) * 50 + 3}" y="${row * 50 + 3}" width="94" height="44" fill="rgb(${tone + 30},${tone - 30},${tone - 55})"/>`;
  }).join('');

/** Seven scenes to remove an object from; one of them is hard. */
export async function objectScenes(width: number): Promise<ObjectScene[]> {
  const scenes = readYaml(new URL('scenes.yaml', import.meta.url), z.array(sceneSchema));
  return Promise.all(
    scenes.map((scene, k) => {
      const background = scene.background.replace('{spots}', spots).replace('{bricks}', bricks);
      return composeScene({ ...scene, background }, k + 101, width);
    }),
  );
}

async function composeScene(scene: Scene, seed: number, width: number): Promise<ObjectScene> {
  const height = round(width * (H / W));
  const ground = await drawGround(scene, seed, width, height);
  const object = await draw(scene.object, width, height).blur(0.6).png().toBuffer();
  const black = `<rect width="${W}" height="${H}" fill="#000"/>`;
  const mask = await draw(black + scene.painted, width, height)
    .png()
    .toBuffer();
  const clean = await sharp(ground).removeAlpha().raw().toBuffer();
  const withObject = await sharp(ground)
    .composite([{ input: object }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return {
    name: scene.name,
    hard: scene.hard,
    // Both have the same noise, so that only the object differs.
    photo: await addNoise(withObject, scene.noise, seed, width, height),
    clean: await addNoise(clean, scene.noise, seed, width, height),
    mask,
    width,
    height,
  };
}

async function drawGround(
  { background, backgroundBlur, texture }: Scene,
  seed: number,
  width: number,
  height: number,
): Promise<Buffer> {
  let ground = draw(background, width, height);
  if (backgroundBlur) ground = ground.blur((backgroundBlur * width) / W);
  if (!texture) return ground.png().toBuffer();
  const { data, info } = await ground.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const columns = Math.ceil(W / texture.across);
  const rows = Math.ceil(H / texture.down);
  const random = new Random(seed);
  const coarse = Buffer.from(Array.from({ length: columns * rows }, () => random.next() * 255));
  const grain = await sharp(coarse, { raw: { width: columns, height: rows, channels: 1 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  for (let i = 0; i < data.length; i += 1) {
    const wave = ((grain[floor(i / 3)] as number) / 255 - 0.5) * 2 * texture.strength;
    data[i] = clamp((data[i] as number) + wave);
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .png()
    .toBuffer();
}

const draw = (shapes: string, width: number, height: number) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${W} ${H}" preserveAspectRatio="none">${shapes}</svg>`,
    ),
  );

/** Adds noise as of a camera sensor: nearly normal, with the given standard deviation. */
async function addNoise(
  rgb: Buffer,
  deviation: number,
  seed: number,
  width: number,
  height: number,
): Promise<Buffer> {
  const random = new Random(seed * 7919);
  for (let i = 0; i < rgb.length; i += 1) {
    const normal = random.next() + random.next() + random.next() + random.next() - 2;
    rgb[i] = clamp((rgb[i] as number) + normal * 1.73 * deviation);
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
}

const clamp = (value: number) => min(255, max(0, round(value)));
