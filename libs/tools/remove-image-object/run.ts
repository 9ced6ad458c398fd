import { AppError } from '#libs/contract/errors.js';
import { onImageThread, type ImageFiles } from '#libs/local-engine/images/image-threads.js';
import type { RunContext, ToolHandler } from '#libs/jobs/tool-handler.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import { keepPicture, readPicture } from '../shared/picture-files.js';
import { describeRemoval, removeImageObject } from './contract.js';
import { objectPrompt } from './prompt.js';

export const ENGINE_NEEDS_MASK = 'Paint over the object, or connect an AI service to remove it by name.';

/** Where the bar stands as each of the offline engine's steps begins, and what the user reads. */
const steps: Record<string, [message: string, percent: number]> = {
  decoding: ['Reading the image', 5],
  filling: ['Filling from the surroundings', 20],
  blending: ['Blending the edges', 60],
  encoding: ['Preparing the result', 70],
};

/** The share of a picture from which a filling is large enough for its smears to be seen. */
const LARGE = 0.02;
const LARGE_NOTICE = 'A large area was filled from its surroundings: smears are visible there.';
const SMALL_NOTICE = 'Filled from the surroundings: check the place where the object was.';
const REDRAWN_NOTICE = 'The AI service painted the whole image anew: details may differ from yours.';

export const removeImageObjectHandler: ToolHandler<'remove-image-object'> = {
  async withProvider({ object }, provider, context) {
    context.stage('preparing', 'Preparing the image', 3);
    const { signal } = context;
    const { bytes, name } = await readPicture(context);
    const mask = (await context.file('mask'))?.bytes ?? null;
    const canvas = await onImageThread('fitToCanvas', { bytes, mask }, signal);
    context.stage('erasing', 'The AI service is removing the object', 10);
    const answer = await provider.editImage(
      {
        image: Buffer.from(canvas.image),
        ...(canvas.mask && { mask: Buffer.from(canvas.mask) }),
        prompt: objectPrompt(object, mask !== null),
        size: canvas.size,
      },
      signal,
    );
    context.stage('fitting', 'Fitting the result to your image', 80);
    const task = { bytes, mask, answer, canvas: { size: canvas.size, place: canvas.place } };
    const picture = await onImageThread('mergeObjectRemoval', task, signal);
    const notice = picture.pixels === 'model' ? REDRAWN_NOTICE : null;
    return finish(context, describeRemoval(object, name), picture, 'openai', notice);
  },

  async offline({ object }, context) {
    context.stage('opening', 'Opening the image', 2);
    const { bytes, name } = await readPicture(context);
    const mask = await context.file('mask');
    if (!mask) throw new AppError('ENGINE_CANNOT', ENGINE_NEEDS_MASK);
    const picture = await onImageThread(
      'removeObject',
      { bytes, mask: mask.bytes },
      context.signal,
      (step) => {
        const known = steps[step];
        if (known) context.stage(step, ...known);
      },
    );
    const notice = picture.share > LARGE ? LARGE_NOTICE : SMALL_NOTICE;
    return finish(context, describeRemoval(object, name), picture, 'offline', notice);
  },
};

async function finish(
  context: RunContext,
  prompt: string,
  picture: ImageFiles,
  engine: EngineName,
  notice: string | null,
) {
  context.stage('storing', 'Storing the result', 92);
  const { fields, files } = await keepPicture(context, picture, 'image/png');
  return {
    result: { ...fields, engine, notice },
    creation: { type: removeImageObject.creation.type, prompt, content: fields.content, files },
  };
}
