import { decodePicture } from '../../shared/lib/picture';
import { contextOf, newCanvas } from './composition/compose';
import { mediaTypes, type PictureFormat } from './composition/settings';
import { readPngMetadata, setDensity, setExif } from './composition/density';

/** Encoder quality at which a JPEG of a camera keeps about its size. */
const QUALITY = 0.88;

/**
 * Encodes an image in another format, with its density, and in JPEG with its date and copyright. Transparent parts become white in JPEG.
 * @throws Error with a message for the user
 */
export async function convertImage(image: Blob, format: PictureFormat): Promise<Blob> {
  const type = mediaTypes[format];
  if (image.type === type) return image;
  const picture = await decodePicture(image);
  const context = contextOf(newCanvas(picture));
  if (format === 'jpeg') {
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, picture.width, picture.height);
  }
  context.drawImage(picture, 0, 0);
  picture.close();
  const converted = await context.canvas.convertToBlob({ type, quality: QUALITY });
  if (converted.type !== type)
    throw new Error('This browser does not support this format. Choose another one.');
  const { density, exif } = image.type === mediaTypes.png ? await readPngMetadata(image) : {};
  const sized = density === undefined ? converted : await setDensity(converted, density);
  return exif === undefined ? sized : setExif(sized, exif);
}
