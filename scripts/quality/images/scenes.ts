import sharp from 'sharp';

// In Jest's realm each access to a global is slow, and these run for every pixel.
const { floor, imul, max, min, round } = Math;

/** A picture with an object in it, the same picture without the object, and a mask painted over the object. */
export interface ObjectScene {
  name: string;
  hard: boolean;
  photo: Buffer;
  /** The picture as it is without the object, PNG. */
  clean: Buffer;
  /** White on black, PNG. */
  mask: Buffer;
  width: number;
  height: number;
}

interface Drawn {
  name: string;
  hard?: boolean;
  /** SVG of the background and of the object, on a sheet of 1000 x 750. */
  background: string;
  object: string;
  /** What the user paints; a little more than the object. */
  painted: string;
  backgroundBlur?: number;
  noise: number;
  /** Strength of a fine texture over the background, and how stretched it is. */
  texture?: { strength: number; across: number; down: number };
}

const W = 1000;
const H = 750;

const rect = (fill: string, y = 0, height = H) =>
  `<rect y="${y}" width="${W}" height="${height}" fill="${fill}"/>`;
const gradient = (id: string, stops: [string, number][], direction = 'x2="0" y2="1"') =>
  `<linearGradient id="${id}" x1="0" y1="0" ${direction}>${stops.map(([c, o]) => `<stop offset="${o}" stop-color="${c}"/>`).join('')}</linearGradient>`;
const defs = (...parts: string[]) => `<defs>${parts.join('')}</defs>`;

/** Circles strewn over the sheet, the same for the same seed. */
function strewn(
  seed: number,
  count: number,
  colours: string[],
  from: number,
  to: number,
  opacity = 1,
): string {
  const next = numbers(seed);
  return Array.from({ length: count }, () => {
    const [x, y, r] = [next() * W, next() * H, from + next() * (to - from)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${colours[floor(next() * colours.length)]}" opacity="${opacity}"/>`;
  }).join('');
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = imul(state ^ (state >>> 15), 1 | state);
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const bricks = Array.from({ length: 15 }, (_, row) =>
  Array.from({ length: 11 }, (_, k) => {
    const tone = 120 + ((row * 7 + k * 13) % 5) * 12;
    return `<rect x="${k * 100 - (row % 2) * 50 + 3}" y="${row * 50 + 3}" width="94" height="44" fill="rgb(${tone + 30},${tone - 30},${tone - 55})"/>`;
  }).join(''),
).join('');

const objects: Drawn[] = [
  {
    name: 'bird in a clear sky',
    background: `${defs(
      gradient('k', [
        ['#4f8fd0', 0],
        ['#cfe3f2', 1],
      ]),
    )}${rect('url(#k)')}`,
    object: '<path d="M600 210 q30 -34 56 0 q26 -34 56 0 q-30 -14 -56 14 q-26 -28 -56 -14z" fill="#222"/>',
    painted: '<ellipse cx="656" cy="208" rx="68" ry="34" fill="#fff"/>',
    noise: 2,
  },
  {
    name: 'scratch over a portrait backdrop',
    background: `${rect('#8a6f5a')}${strewn(3, 40, ['#7a5f4c', '#9c8069', '#6d5342'], 50, 140, 0.7)}`,
    backgroundBlur: 34,
    object: '<path d="M120 120 Q500 300 860 640" stroke="#fff" stroke-width="5" fill="none"/>',
    painted: '<path d="M115 116 Q500 300 865 645" stroke="#fff" stroke-width="16" fill="none"/>',
    noise: 2,
  },
  {
    name: 'ball on sand',
    background: `${defs(
      gradient('s', [
        ['#e0c898', 0],
        ['#c4a56c', 1],
      ]),
    )}${rect('url(#s)')}`,
    texture: { strength: 7, across: 2, down: 2 },
    object:
      '<circle cx="430" cy="430" r="60" fill="#d4322c"/><path d="M372 430 q58 -26 116 0" stroke="#fff" stroke-width="14" fill="none"/>',
    painted: '<circle cx="430" cy="430" r="72" fill="#fff"/>',
    noise: 3,
  },
  {
    name: 'boat across a horizon',
    background: `${defs(
      gradient('k', [
        ['#f2c9a0', 0],
        ['#f7e7cf', 1],
      ]),
      gradient('w', [
        ['#5d86a4', 0],
        ['#27506f', 1],
      ]),
    )}${rect('url(#k)', 0, 400)}${rect('url(#w)', 400, 350)}`,
    texture: { strength: 4, across: 14, down: 2 },
    object: '<path d="M560 420 h160 l-26 40 h-110z M640 260 v150 h-70z M650 280 v130 h56z" fill="#7a2f22"/>',
    painted: '<path d="M545 412 L632 246 L656 246 L735 412 L705 472 H575z" fill="#fff"/>',
    noise: 3,
  },
  {
    name: 'coin on grained wood',
    background: `${defs(
      gradient(
        'b',
        [
          ['#a87442', 0],
          ['#8c5a2e', 1],
        ],
        'x2="1" y2="0"',
      ),
    )}${rect('url(#b)')}`,
    texture: { strength: 16, across: 40, down: 2 },
    object:
      '<circle cx="500" cy="360" r="44" fill="#c9ccd1"/><circle cx="500" cy="360" r="34" fill="#aeb2b8"/>',
    painted: '<circle cx="500" cy="360" r="54" fill="#fff"/>',
    noise: 3,
  },
  {
    name: 'date stamp on a meadow',
    background: `${defs(
      gradient('g', [
        ['#8fb35a', 0],
        ['#4c7a2c', 1],
      ]),
    )}${rect('url(#g)')}`,
    texture: { strength: 20, across: 2, down: 7 },
    object:
      '<path d="M700 660 h14 v48 h-14z M730 660 h36 v12 h-24 v8 h24 v28 h-36 v-12 h24 v-8 h-24z M784 660 h36 v48 h-36z" fill="#ff8a1f"/>',
    painted: '<path d="M694 654 h26 v60 h-26z M724 654 h48 v60 h-48z M778 654 h48 v60 h-48z" fill="#fff"/>',
    noise: 5,
  },
  {
    name: 'poster on bricks, large',
    hard: true,
    background: `${rect('#c9bfb2')}${bricks}`,
    object:
      '<rect x="330" y="190" width="270" height="330" fill="#f2efe6"/><circle cx="465" cy="330" r="80" fill="#2a6fb0"/>',
    painted: '<rect x="322" y="182" width="286" height="346" fill="#fff"/>',
    noise: 4,
  },
];

/** Seven scenes to remove an object from, one of them hard. */
export const objectScenes = (width: number): Promise<ObjectScene[]> =>
  Promise.all(objects.map((drawn, k) => composeObject(drawn, k + 101, width)));

async function composeObject(drawn: Drawn, seed: number, width: number): Promise<ObjectScene> {
  const height = round(width * (H / W));
  const ground = await drawGround(drawn, seed, width, height);
  const object = await draw(drawn.object, width, height).blur(0.6).png().toBuffer();
  const mask = await draw(`${rect('#000')}${drawn.painted}`, width, height)
    .png()
    .toBuffer();
  const clean = await sharp(ground).removeAlpha().raw().toBuffer();
  const withObject = await sharp(ground)
    .composite([{ input: object }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return {
    name: drawn.name,
    hard: drawn.hard ?? false,
    // The same noise in both: what differs is the object alone.
    photo: await addNoise(withObject, drawn.noise, seed, width, height),
    clean: await addNoise(clean, drawn.noise, seed, width, height),
    mask,
    width,
    height,
  };
}

async function drawGround(
  { background, backgroundBlur, texture }: Pick<Drawn, 'background' | 'backgroundBlur' | 'texture'>,
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
  const next = numbers(seed);
  const coarse = Buffer.from(Array.from({ length: columns * rows }, () => next() * 255));
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

/** Noise as of a camera's sensor, nearly normal, of the given standard deviation. */
async function addNoise(
  rgb: Buffer,
  deviation: number,
  seed: number,
  width: number,
  height: number,
): Promise<Buffer> {
  const next = numbers(seed * 7919);
  for (let i = 0; i < rgb.length; i += 1) {
    const normal = next() + next() + next() + next() - 2;
    rgb[i] = clamp((rgb[i] as number) + normal * 1.73 * deviation);
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
}

const clamp = (value: number) => min(255, max(0, round(value)));
