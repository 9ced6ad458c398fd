import { AppError } from '#libs/contract/errors.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import type { ToolHandler } from '#libs/jobs/tool-handler.js';
import { readImage, showSteps, storeImage } from '../shared/image-files.js';
import { describeRemoval } from './contract.js';
import { objectPrompt } from './prompt.js';

export const ENGINE_NEEDS_MASK = 'Paint over the object, or connect an AI service to remove it by name.';

const steps: Record<string, [message: string, percent: number]> = {
  decoding: ['Reading the image', 5],
  filling: ['Filling from the surroundings', 20],
  blending: ['Blending the edges', 60],
  encoding: ['Preparing the result', 70],
};

/** Above this share of the image, artefacts of the inpainting are visible. */
const LARGE_SHARE = 0.02;
const notices = {
  large: 'A large area was filled from its surroundings: smears are visible there.',
  small: 'Filled from the surroundings: check the place where the object was.',
  model: 'The AI service painted the whole image anew: details may differ from yours.',
};

export const removeImageObjectHandler: ToolHandler<'remove-image-object'> = {
  async withProvider({ object }, provider, context) {
    context.stage('preparing', 'Preparing the image', 3);
    const { signal } = context;
    const { bytes, name } = await readImage(context);
    const mask = (await context.file('mask'))?.bytes ?? null;
    const canvas = await onImageThread('fitToCanvas', { bytes, mask }, signal);
    const { size, place } = canvas;
    context.stage('erasing', 'The AI service is removing the object', 10);
    const answer = await provider.editImage(
      {
        image: Buffer.from(canvas.image),
        ...(canvas.mask && { mask: Buffer.from(canvas.mask) }),
        prompt: objectPrompt(object, mask !== null),
        size,
      },
      signal,
    );
    context.stage('fitting', 'Fitting the result to your image', 80);
    const merged = await onImageThread(
      'mergeObjectRemoval',
      { bytes, mask, answer, canvas: { size, place } },
      signal,
    );
    context.stage('storing', 'Storing the result', 92);
    return storeImage(context, merged, {
      type: 'image/png',
      prompt: describeRemoval(object, name),
      engine: 'openai',
      notice: merged.pixels === 'model' ? notices.model : null,
    });
  },

  async offline({ object }, context) {
    context.stage('opening', 'Opening the image', 2);
    const { bytes, name } = await readImage(context);
    const mask = await context.file('mask');
    if (!mask) throw new AppError('ENGINE_CANNOT', ENGINE_NEEDS_MASK);
    const removed = await onImageThread(
      'removeObject',
      { bytes, mask: mask.bytes },
      context.signal,
      showSteps(context, steps),
    );
    context.stage('storing', 'Storing the result', 92);
    return storeImage(context, removed, {
      type: 'image/png',
      prompt: describeRemoval(object, name),
      engine: 'offline',
      notice: removed.share > LARGE_SHARE ? notices.large : notices.small,
    });
  },
};
