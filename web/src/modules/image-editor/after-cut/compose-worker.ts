import { decodePicture } from '../../../shared/lib/picture';
import { compose, contextOf, newCanvas, type CutOutShape, type Sources } from './compose';
import type { ComposerAnswer, ComposerReply, ComposerRequest, ComposerWork } from './composer-messages';
import { enlargeBox, subjectBox } from './geometry';
import { mediaTypes } from './settings';

/** The longest side of the copies for previews, in pixels. */
const COPY_SIDE = 1_600;

let shape: CutOutShape | undefined;
let whole: Sources | undefined;
let copies: Sources | undefined;

/** Handles requests in order, so that a preview shows all earlier changes. */
let line = Promise.resolve();
addEventListener('message', ({ data }: MessageEvent<ComposerRequest>) => {
  line = line.then(() =>
    run(data).then(
      (answer) => reply({ id: data.id, answer }, answer instanceof ImageBitmap ? [answer] : []),
      (error: unknown) =>
        reply({ id: data.id, error: error instanceof Error ? error.message : String(error) }),
    ),
  );
});

const reply = (message: ComposerReply, transfer: Transferable[] = []) => postMessage(message, { transfer });

async function run(work: ComposerWork): Promise<ComposerAnswer[ComposerWork['kind']]> {
  switch (work.kind) {
    case 'open':
      return open(work.cutOut, work.original);
    case 'picture':
      return setPicture(work.picture);
    case 'preview': {
      const { copies: sources, shape: known } = opened();
      return compose(sources, known, work.settings, work.maxSide).transferToImageBitmap();
    }
    case 'encode': {
      const { whole: sources, shape: known } = opened();
      const { format, quality } = work.settings;
      return compose(sources, known, work.settings).convertToBlob({
        type: mediaTypes[format],
        quality: quality / 100,
      });
    }
  }
}

async function open(cutOutFile: Blob, originalFile: Blob | null): Promise<ComposerAnswer['open']> {
  const cutOut = await decodePicture(cutOutFile);
  // Without a readable original, only the blurred background is missing.
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

/** Browsers encode PNG instead of an unsupported type. */
async function canEncode(type: string): Promise<boolean> {
  const { canvas } = contextOf(newCanvas({ width: 1, height: 1 }));
  return (await canvas.convertToBlob({ type })).type === type;
}

async function setPicture(file: Blob): Promise<ComposerAnswer['picture']> {
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
