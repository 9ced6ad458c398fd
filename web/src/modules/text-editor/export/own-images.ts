import type { Code, Nodes, Root } from 'mdast';
import { drawDiagram } from '../../../shared/markdown/diagrams/draw-diagram';
import { isOwnImage } from '../../../shared/markdown/own-image';

/** An image in a format that Word, PDF and HTML support. */
export interface EmbeddedImage {
  type: 'jpg' | 'png';
  data: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

/** Maximum width and height in pixels, enough to print an image at page width. */
const MAX_SIDE = 1_800;

/**
 * Fetches the text's images that are stored on this server, and draws its diagrams.
 * @returns the images by path or by {@link diagramKey}; deleted images and wrong diagrams are missing
 */
export async function readOwnImages(root: Root): Promise<Map<string, EmbeddedImage>> {
  const images = await Promise.all([
    ...[...new Set(pathsIn(root))].map(async (path) => [path, await read(path).catch(() => null)] as const),
    ...diagramsIn(root).map(async (code) => [diagramKey(code), await drawn(code).catch(() => null)] as const),
  ]);
  return new Map(images.filter((one): one is [string, EmbeddedImage] => one[1] !== null));
}

/** The key of a code block's picture if it is a diagram. */
export const diagramKey = ({ lang, value }: Pick<Code, 'lang' | 'value'>): string =>
  `${lang}:${value.trim()}`;

const diagramsIn = (node: Nodes): Code[] =>
  node.type === 'code' && node.lang === 'mermaid'
    ? [node]
    : 'children' in node
      ? node.children.flatMap(diagramsIn)
      : [];

/** Pixels of a diagram's picture for each of its own, for print. */
const DIAGRAM_SCALE = 2;
/** Maximum width and height in pixels of a drawn picture. */
const MAX_DRAWN_SIDE = 4_000;

/** Draws a diagram as a PNG file. @throws Error if it is wrong */
async function drawn({ value }: Code): Promise<EmbeddedImage> {
  const url = await drawDiagram(value, 'light');
  if (url === null) throw new Error('The diagram is wrong.');
  const image = await loadSvg(url);
  const { width, height } = image;
  return svgToPng(image, { left: 0, top: 0, width, height }, DIAGRAM_SCALE, 'white');
}

/** Loads an SVG file. @param url its address */
export async function loadSvg(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** An area of a picture, in its own pixels. */
interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Draws an area of an SVG file.
 * @param scale pixels for each of its own, fewer if the area is too large
 * @param background none by default
 */
export async function svgToPng(
  image: HTMLImageElement,
  { left, top, width, height }: Area,
  scale: number,
  background?: string,
): Promise<EmbeddedImage> {
  const factor = Math.min(scale, MAX_DRAWN_SIDE / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * factor);
  canvas.height = Math.round(height * factor);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The picture could not be drawn.');
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
  context.drawImage(image, -left, -top);
  const data = await encode(canvas, 'image/png');
  return { type: 'png', data, width: Math.round(width), height: Math.round(height) };
}

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

export const dataUrlOf = ({ type, data }: EmbeddedImage): string =>
  `data:image/${type === 'jpg' ? 'jpeg' : 'png'};base64,${toBase64(data)}`;

const pathsIn = (node: Nodes): string[] =>
  node.type === 'image' && isOwnImage(node.url)
    ? [node.url]
    : 'children' in node
      ? node.children.flatMap(pathsIn)
      : [];

/** Fetches an image and re-encodes it, since neither Word nor PDF supports WebP. @throws Error if it cannot be fetched */
async function read(path: string): Promise<EmbeddedImage> {
  const response = await fetch(path);
  if (!response.ok) throw new Error('The image was deleted.');
  const blob = await response.blob();
  const bitmap = await createImageBitmap(blob);
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const isJpeg = blob.type === 'image/jpeg';
  const data = await encode(canvas, isJpeg ? 'image/jpeg' : 'image/png');
  return { type: isJpeg ? 'jpg' : 'png', data, width: canvas.width, height: canvas.height };
}

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Uint8Array<ArrayBuffer>> {
  const encoded = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9));
  if (encoded === null) throw new Error('The image could not be encoded.');
  return new Uint8Array(await encoded.arrayBuffer());
}
