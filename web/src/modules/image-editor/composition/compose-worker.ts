import { decodePicture } from '../../../shared/lib/picture';
import { compose, contextOf, newCanvas, type CutOutShape, type Sources } from './compose';
import type { ComposerAnswers, ComposerRequest } from './composer';
import { enlargeBox, subjectBox } from './geometry';
import { serveRequests } from '../../../shared/lib/worker-client';
import { mediaTypes } from './settings';

/** Longest side, in pixels, of the copies from which previews are drawn. */
const COPY_SIDE = 1_600;

let shape: CutOutShape | undefined;
let whole: Sources | undefined;
let copies: Sources | undefined;

serveRequests(run, (answer) => (answer instanceof ImageBitmap ? [answer] : []));

async function run(request: ComposerRequest): Promise<ComposerAnswers[ComposerRequest['kind']]> {
  switch (request.kind) {
    case 'open':
      return open(request.cutOut, request.original);
    case 'picture':
      return setPicture(request.picture);
    case 'preview': {
      const { copies: sources, shape: cutOutShape } = opened();
      return compose(sources, cutOutShape, request.settings, request.maxSide).transferToImageBitmap();
    }
    case 'encode': {
      const { whole: sources, shape: cutOutShape } = opened();
      const { format, quality } = request.settings;
      return compose(sources, cutOutShape, request.settings).convertToBlob({
        type: mediaTypes[format],
        quality: quality / 100,
      });
    }
  }
}

async function open(cutOutFile: Blob, originalFile: Blob | null): Promise<ComposerAnswers['open']> {
  const cutOut = await decodePicture(cutOutFile);
  // If the original can't be decoded, continue without it: only the blurred background needs it.
  const original = originalFile === null ? null : await decodePicture(originalFile).catch(() => null);
  const { width, height } = cutOut;
  const copy = await copyOf(cutOut);
  const context = contextOf(newCanvas(copy));
  context.drawImage(copy, 0, 0);
  const box = subjectBox(context.getImageData(0, 0, copy.width, copy.height).data, copy);
  shape = {
    size: { width, height },
    subject: box && enlargeBox(box, width / copy.width, { width, height }),
  };
  whole = { cutOut, original, picture: null };
  copies = { cutOut: copy, original: original && (await copyOf(original)), picture: null };
  return { ...shape, canBlur: original !== null, canEncodeWebp: await canEncode(mediaTypes.webp) };
}

/** Tests by encoding a pixel: for an unsupported type, browsers encode PNG instead. */
async function canEncode(type: string): Promise<boolean> {
  const { canvas } = contextOf(newCanvas({ width: 1, height: 1 }));
  return (await canvas.convertToBlob({ type })).type === type;
}

async function setPicture(file: Blob): Promise<ComposerAnswers['picture']> {
  const picture = await decodePicture(file);
  opened().whole.picture?.close();
  opened().whole.picture = picture;
  opened().copies.picture = await copyOf(picture);
  return { width: picture.width, height: picture.height };
}

function opened() {
  if (!shape || !whole || !copies) throw new Error('No picture is open.');
  return { shape, whole, copies };
}

function copyOf(picture: ImageBitmap): Promise<ImageBitmap> {
  const factor = Math.min(1, COPY_SIDE / Math.max(picture.width, picture.height));
  return createImageBitmap(picture, {
    resizeWidth: Math.max(1, Math.round(picture.width * factor)),
    resizeHeight: Math.max(1, Math.round(picture.height * factor)),
    resizeQuality: 'high',
  });
}
