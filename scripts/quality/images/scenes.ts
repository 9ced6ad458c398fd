import sharp from 'sharp';

// In Jest's realm each access to a global is slow, and these run for every pixel.
const { floor, imul, max, min, round } = Math;

/** A drawn picture that looks like a photo, and what is known of it. */
export interface SubjectScene {
  name: string;
  /** Colours alone do not separate the subject. */
  hard: boolean;
  /** PNG. */
  photo: Buffer;
  width: number;
  height: number;
  /** 255 where the subject is, one byte a pixel. */
  truth: Buffer;
}

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
  /** SVG of the background and of the subject, on a sheet of 1000 x 750. */
  background: string;
  subject: string;
  /** SVG of the subject's shadow, blurred by the number before it. */
  shadow?: [blur: number, shapes: string];
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

const subjects: Drawn[] = [
  {
    name: 'mug on a table, seen through its handle',
    background: `${defs(
      gradient('w', [
        ['#d9c7a8', 0],
        ['#b89f78', 1],
      ]),
      gradient('t', [
        ['#8a6a48', 0],
        ['#6d4f33', 1],
      ]),
    )}${rect('url(#w)')}${rect('url(#t)', 520, 230)}`,
    subject: `${defs(
      gradient(
        'm',
        [
          ['#e23b32', 0],
          ['#c2231d', 0.5],
          ['#7f1411', 1],
        ],
        'x2="1" y2="0"',
      ),
    )}
      <path d="M640 300 h40 a90 95 0 0 1 0 200 h-50 v-44 h44 a50 55 0 0 0 0 -112 h-34z" fill="#b5211b"/>
      <path d="M350 220 h300 v330 a60 50 0 0 1 -60 50 h-180 a60 50 0 0 1 -60 -50z" fill="url(#m)"/>
      <ellipse cx="500" cy="222" rx="150" ry="30" fill="#5f0f0d"/>`,
    shadow: [22, '<ellipse cx="520" cy="600" rx="230" ry="34" fill="#000" opacity=".45"/>'],
    noise: 5,
  },
  {
    name: 'portrait before a blurred park, cut by the lower edge',
    background: `${rect('#7fa06a')}${strewn(4, 60, ['#5f8a4e', '#a9c183', '#d7dcae', '#49703e', '#c5d6e8'], 30, 95, 0.8)}`,
    backgroundBlur: 26,
    subject: `<path d="M250 750 C260 560 400 500 500 500 C600 500 740 560 750 750z" fill="#2b3f74"/>
      <path d="M440 430 h120 v110 q-60 50 -120 0z" fill="#c98f6b"/>
      <path d="M370 310 C350 120 650 120 630 310 L640 450 C610 430 600 400 600 300 L400 300 C400 400 390 430 360 450z" fill="#3a241a"/>
      <ellipse cx="500" cy="320" rx="112" ry="146" fill="#dba680"/>
      <path d="M388 290 C400 190 600 190 612 290 C560 230 450 230 388 290z" fill="#3a241a"/>
      <circle cx="455" cy="310" r="12" fill="#2c1b14"/><circle cx="545" cy="310" r="12" fill="#2c1b14"/>
      <path d="M460 400 q40 26 80 0 q-40 14 -80 0z" fill="#a4453f"/>`,
    noise: 6,
  },
  {
    name: 'shoe in a studio, on white with a shadow',
    background: `${defs(
      gradient('s', [
        ['#f4f4f2', 0],
        ['#dcdcda', 1],
      ]),
    )}${rect('url(#s)')}`,
    subject: `<path d="M180 520 C190 420 250 330 330 300 L400 340 C470 420 560 440 720 460 C800 470 830 500 830 560 L180 560z" fill="#20407e"/>
      <path d="M170 545 h670 q8 45 -30 52 H200 q-34 -6 -30 -52z" fill="#c9772e"/>
      <path d="M400 345 l-50 90 M450 385 l-44 74 M505 412 l-36 60" stroke="#e8c13a" stroke-width="13"/>`,
    shadow: [16, '<ellipse cx="510" cy="602" rx="350" ry="20" fill="#000" opacity=".4"/>'],
    noise: 3,
  },
  {
    name: 'dog on a meadow',
    background: `${defs(
      gradient('g', [
        ['#8fb35a', 0],
        ['#4c7a2c', 1],
      ]),
    )}${rect('url(#g)')}`,
    texture: { strength: 26, across: 2, down: 9 },
    subject: `<path d="M280 470 C260 390 330 340 420 350 L600 350 C680 350 720 400 715 470 L705 640 h-60 L630 520 L430 530 L420 640 h-60 L345 530z" fill="#8a5a2b"/>
      <path d="M600 370 C600 270 650 230 720 240 C790 250 800 300 840 315 C845 365 790 380 740 375 C730 420 690 440 640 430z" fill="#9a6633"/>
      <path d="M655 245 C620 250 610 330 640 355 C670 330 690 280 655 245z" fill="#5c3715"/>
      <path d="M290 430 C220 390 190 320 205 270 C240 320 280 350 330 370z" fill="#8a5a2b"/>
      <circle cx="745" cy="290" r="10" fill="#1c100a"/><ellipse cx="834" cy="322" rx="15" ry="11" fill="#1c100a"/>`,
    shadow: [18, '<ellipse cx="530" cy="640" rx="270" ry="26" fill="#13240a" opacity=".5"/>'],
    noise: 7,
  },
  {
    name: 'flower before dark leaves',
    background: `${rect('#1f3a24')}${strewn(9, 70, ['#16301c', '#2d5433', '#3c6b3e', '#12261a'], 25, 90, 0.85)}`,
    backgroundBlur: 18,
    subject: `<path d="M490 430 C480 560 500 650 520 750 h30 C525 650 512 560 520 430z" fill="#7fae4e"/>
      ${Array.from({ length: 12 }, (_, k) => `<ellipse cx="500" cy="210" rx="48" ry="135" fill="${k % 2 ? '#f5c52c' : '#eab013'}" transform="rotate(${k * 30} 500 330)"/>`).join('')}
      <circle cx="500" cy="330" r="78" fill="#6b3d14"/>`,
    noise: 5,
  },
  {
    name: 'car between road and sky',
    background: `${defs(
      gradient('k', [
        ['#a7cbe8', 0],
        ['#dfeaf2', 1],
      ]),
    )}${rect('url(#k)')}${rect('#6c6e72', 470, 280)}`,
    texture: { strength: 9, across: 3, down: 3 },
    subject: `<path d="M140 500 C140 430 200 410 280 400 L380 310 H620 L720 400 C820 405 860 430 865 500 V550 H140z" fill="#c98a12"/>
      <path d="M390 330 H490 V400 H320z M510 330 H610 L680 400 H510z" fill="#24303c"/>
      <circle cx="290" cy="550" r="66" fill="#17181a"/><circle cx="720" cy="550" r="66" fill="#17181a"/>
      <circle cx="290" cy="550" r="30" fill="#a8adb3"/><circle cx="720" cy="550" r="30" fill="#a8adb3"/>`,
    shadow: [14, '<ellipse cx="505" cy="608" rx="400" ry="18" fill="#000" opacity=".6"/>'],
    noise: 5,
  },
  {
    name: 'white jug on a pale wall',
    hard: true,
    background: `${defs(
      gradient('p', [
        ['#f1efea', 0],
        ['#e2dfd8', 1],
      ]),
    )}${rect('url(#p)')}`,
    subject: `${defs(
      gradient(
        'j',
        [
          ['#ffffff', 0],
          ['#f3f2ee', 0.6],
          ['#dedbd3', 1],
        ],
        'x2="1" y2="0"',
      ),
    )}
      <path d="M400 180 h210 l-20 110 C660 360 670 480 620 600 H380 C330 480 340 360 410 290z" fill="url(#j)"/>`,
    shadow: [24, '<ellipse cx="520" cy="605" rx="200" ry="22" fill="#000" opacity=".14"/>'],
    noise: 3,
  },
  {
    name: 'green frog among leaves of its colour',
    hard: true,
    background: `${rect('#4d7a35')}${strewn(21, 160, ['#3f6a2a', '#5f8f42', '#6fa04d', '#355c24', '#4d7a35'], 14, 60, 0.95)}`,
    subject: `<path d="M330 560 C300 430 400 330 520 340 C640 340 720 430 690 560 C740 580 740 610 680 612 H340 C280 610 280 580 330 560z" fill="#5a8c3c"/>
      <circle cx="440" cy="345" r="42" fill="#66984a"/><circle cx="590" cy="345" r="42" fill="#66984a"/>
      <circle cx="440" cy="338" r="17" fill="#20150a"/><circle cx="590" cy="338" r="17" fill="#20150a"/>`,
    noise: 6,
  },
];

interface DrawnObject extends Omit<Drawn, 'subject' | 'shadow'> {
  object: string;
  /** What the user paints; a little more than the object. */
  painted: string;
}

const objects: DrawnObject[] = [
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

/** Eight scenes to cut a subject out of, two of them hard. `width` in pixels; the height is three quarters of it. */
export const subjectScenes = (width: number): Promise<SubjectScene[]> =>
  Promise.all(subjects.map((drawn, k) => composeSubject(drawn, k + 1, width)));

/** Seven scenes to remove an object from, one of them hard. */
export const objectScenes = (width: number): Promise<ObjectScene[]> =>
  Promise.all(objects.map((drawn, k) => composeObject(drawn, k + 101, width)));

async function composeSubject(drawn: Drawn, seed: number, width: number): Promise<SubjectScene> {
  const height = round(width * (H / W));
  const ground = await drawGround(drawn, seed, width, height);
  const subject = await draw(drawn.subject, width, height).png().toBuffer();
  const layers = [{ input: subject }];
  if (drawn.shadow) {
    const [blur, shapes] = drawn.shadow;
    layers.unshift({
      input: await draw(shapes, width, height)
        .blur((blur * width) / W)
        .png()
        .toBuffer(),
    });
  }
  const composed = await sharp(ground).composite(layers).removeAlpha().blur(0.7).raw().toBuffer();
  const truth = await sharp(subject).extractChannel('alpha').threshold(128).raw().toBuffer();
  const photo = await addNoise(composed, drawn.noise, seed, width, height);
  return { name: drawn.name, hard: drawn.hard ?? false, photo, width, height, truth };
}

async function composeObject(drawn: DrawnObject, seed: number, width: number): Promise<ObjectScene> {
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
