import type { IncomingMessage } from 'node:http';
import sharp from 'sharp';

/** The fields of an image request. Files are as they arrived. */
export interface ImageBody {
  model: string;
  prompt: string;
  size: string;
  background: string | null;
  /** Partial images that the stream was to have; null without a stream. */
  partials: number | null;
  image: Buffer | null;
  mask: Buffer | null;
  /** All names of fields, in the order they came. */
  fields: string[];
}

/** Reads the JSON of `images/generations` or the multipart body of `images/edits`; null for any other body. */
export async function readImageBody(request: IncomingMessage, edit: boolean): Promise<ImageBody | null> {
  const whole = new Response(await readWhole(request), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  });
  try {
    if (!edit) {
      const body = (await whole.json()) as Record<string, unknown>;
      const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
      return {
        model: text('model'),
        prompt: text('prompt'),
        size: text('size'),
        background: null,
        partials: body['stream'] === true ? Number(body['partial_images'] ?? 0) : null,
        image: null,
        mask: null,
        fields: Object.keys(body),
      };
    }
    const form = await whole.formData();
    const text = (name: string) => (form.get(name) as string | null) ?? '';
    return {
      model: text('model'),
      prompt: text('prompt'),
      size: text('size'),
      background: form.get('background') as string | null,
      partials: text('stream') === 'true' ? Number(text('partial_images')) : null,
      image: await fileOf(form.get('image')),
      mask: await fileOf(form.get('mask')),
      fields: [...form.keys()],
    };
  } catch {
    return null;
  }
}

/** Why a provider would refuse these files, or null. OpenAI's rules: PNG, and a mask of the picture's own size. */
export async function whatIsWrong({ image, mask }: ImageBody): Promise<string | null> {
  if (!image) return 'image is required';
  const picture = await sharp(image).metadata();
  if (picture.format !== 'png') return 'image must be a PNG';
  if (!mask) return null;
  const { format, width, height, hasAlpha } = await sharp(mask).metadata();
  if (format !== 'png' || !hasAlpha) return 'mask must be a PNG with an alpha channel';
  return width === picture.width && height === picture.height ? null : 'mask must have the size of image';
}

export interface Drawing {
  /** Answer in this size, such as "512x512", regardless of the request. */
  shape?: string;
  /** Answer without an alpha channel. */
  opaque?: boolean;
  /** Paint the picture anew instead of keeping its pixels. */
  redraw?: boolean;
}

/**
 * A PNG that follows the request: a picture in colours of the prompt; the input with what its mask opens filled in
 * {@link FILL}; the input cut out along an ellipse; or the input as it is.
 */
export async function drawAnswer(body: ImageBody, { shape, opaque, redraw }: Drawing): Promise<Buffer> {
  const [width = 1024, height = 1024] = (shape ?? body.size).split('x').map(Number);
  const drawn = !body.image || redraw ? await paint(body.prompt, width, height) : body.image;
  let picture = sharp(await sharp(drawn).resize(width, height, { fit: 'fill' }).png().toBuffer());
  if (body.mask) {
    const kept = await sharp(body.mask)
      .resize(width, height, { fit: 'fill' })
      .extractChannel('alpha')
      .toBuffer();
    const outside = await sharp(await picture.removeAlpha().toBuffer())
      .joinChannel(kept)
      .png()
      .toBuffer();
    picture = sharp({ create: { width, height, channels: 3, background: FILL } }).composite([
      { input: outside },
    ]);
  } else if (body.background === 'transparent' && !opaque) {
    const input = svg(width, height, `<ellipse cx="50%" cy="50%" rx="30%" ry="35%" fill="#fff"/>`);
    picture = picture.ensureAlpha().composite([{ input, blend: 'dest-in' }]);
  }
  return (opaque ? picture.removeAlpha() : picture).png().toBuffer();
}

/** The picture as it is while it is made: the later, the sharper. */
export async function drawPartial(picture: Buffer, index: number): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(picture).metadata();
  const side = (length: number) => Math.max(1, Math.round((length / 64) * 2 ** index));
  const small = await sharp(picture).resize(side(width), side(height), { fit: 'fill' }).png().toBuffer();
  return sharp(small).resize(width, height, { fit: 'fill' }).png({ compressionLevel: 1 }).toBuffer();
}

/** The colour that an edit fills its mask with. */
export const FILL = { r: 30, g: 160, b: 220 };

function paint(prompt: string, width: number, height: number): Promise<Buffer> {
  let hue = 0;
  for (const character of prompt) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  const shapes = `<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue},60%,40%)"/>
    <stop offset="1" stop-color="hsl(${(hue + 60) % 360},70%,75%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="50%" cy="55%" r="25%" fill="hsl(${(hue + 180) % 360},70%,55%)"/>`;
  return sharp(svg(width, height, shapes))
    .png()
    .toBuffer();
}

const svg = (width: number, height: number, shapes: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`);

async function fileOf(entry: File | string | null): Promise<Buffer | null> {
  return entry instanceof File ? Buffer.from(await entry.arrayBuffer()) : null;
}

async function readWhole(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
