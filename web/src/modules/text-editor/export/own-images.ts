import type { Nodes, Root } from 'mdast';
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

/** Fetches the text's images that are stored on this server. @returns the images by path; deleted images are missing */
export async function readOwnImages(root: Root): Promise<Map<string, EmbeddedImage>> {
  const images = await Promise.all(
    [...new Set(pathsIn(root))].map(async (path) => [path, await read(path).catch(() => null)] as const),
  );
  return new Map(images.filter((one): one is [string, EmbeddedImage] => one[1] !== null));
}

const toBase64 = (bytes: Uint8Array): string =>
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
  const encoded = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, isJpeg ? 'image/jpeg' : 'image/png', 0.9),
  );
  if (encoded === null) throw new Error('The image could not be encoded.');
  const data = new Uint8Array(await encoded.arrayBuffer());
  return { type: isJpeg ? 'jpg' : 'png', data, width: canvas.width, height: canvas.height };
}
