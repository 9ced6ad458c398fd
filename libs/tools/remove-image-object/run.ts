import { AppError } from '#libs/contract/errors.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { boxesOf } from '#libs/local-engine/images/object-names.js';
import type { ObjectBoxes } from '#libs/local-engine/images/outline-objects.js';
import type { RunContext, ToolHandler } from '#libs/jobs/tool-handler.js';
import { modelCatalogue } from '#libs/models/catalogue.js';
import { editOnCanvas, readImage, reportSteps, storeImage } from '../shared/image-files.js';
import { hasModel, unlessUnavailable } from '../shared/local-model.js';
import { describeRemoval } from './contract.js';
import { finders, findObjects, NEEDS_MASK, pointOf, type ObjectQuery } from './find-objects.js';
import { objectPrompt } from './prompt.js';

const steps: Record<string, [message: string, percent: number]> = {
  decoding: ['Reading the image', 5],
  filling: ['Filling from the surroundings', 20],
  blending: ['Blending the edges', 60],
  encoding: ['Preparing the result', 70],
};

/** If the removed area exceeds this fraction of the image, inpainting without a model leaves visible artefacts. */
const LARGE_SHARE = 0.02;
/** If the removed area exceeds this fraction of the image, the model invents most of the new content. */
const MODEL_LARGE_SHARE = 0.15;
const notices = {
  filled: 'A model filled the place: check it.',
  invented: 'A large area was filled by a model, which may have invented things there: check it.',
  large: 'A large area was filled from its surroundings: smears are visible there.',
  small: 'Filled from the surroundings: check the place where the object was.',
  model: 'The AI service painted the whole image anew: details may differ from yours.',
};

type Removed = Awaited<ReturnType<typeof removePainted>>;

/** Fills the masked area with a model. Without the model, fills from the surrounding pixels. */
async function removePainted(bytes: Buffer, mask: Uint8Array, context: RunContext) {
  const filled = (await hasModel(context, 'migan')) && (await fill(bytes, { mask }, context));
  if (filled) return { ...filled, model: modelCatalogue.migan.title };
  const { signal } = context;
  const smeared = await onImageThread('removeObject', { bytes, mask }, signal, reportSteps(context, steps));
  return { ...smeared, model: undefined };
}

/** @throws AppError ENGINE_CANNOT if a model is missing, or if the picture has no object with the name */
async function removeNamed(bytes: Buffer, query: ObjectQuery, context: RunContext): Promise<Removed> {
  const { models, signal } = context;
  for (const id of [...finders, 'migan'] as const) {
    if (!(await hasModel(context, id))) throw new AppError('ENGINE_CANNOT', NEEDS_MASK);
  }
  context.stage('finding', `Looking for “${query.object}”`, 5);
  const boxes = boxesOf(await findObjects(bytes, query, models, signal));
  const filled = await fill(bytes, { boxes }, context);
  if (!filled) throw new AppError('ENGINE_CANNOT', NEEDS_MASK);
  const { title } = modelCatalogue.migan;
  return {
    ...filled,
    model: `${modelCatalogue['coco-ssd'].title}, ${modelCatalogue.u2netp.title}, ${title}`,
  };
}

const fill = (bytes: Buffer, hole: { mask: Uint8Array } | { boxes: ObjectBoxes }, context: RunContext) =>
  unlessUnavailable(() =>
    onImageThread(
      'fillHoles',
      { bytes, hole },
      context.signal,
      reportSteps(context, steps),
      ({ use, input }) =>
        context.models.run(use === 'segmentation' ? 'u2netp' : 'migan', input, context.signal),
    ),
  );

function noticeOf({ share, model }: Removed): string {
  if (model !== undefined) return share > MODEL_LARGE_SHARE ? notices.invented : notices.filled;
  return share > LARGE_SHARE ? notices.large : notices.small;
}

export const removeImageObjectHandler: ToolHandler<'remove-image-object'> = {
  async withProvider(input, provider, context) {
    const { object } = input;
    const mask = (await context.file('mask'))?.bytes ?? null;
    const { name, edited } = await editOnCanvas(
      provider,
      context,
      'The AI service is removing the object',
      mask,
      { prompt: objectPrompt(object, mask !== null, pointOf(input)) },
    );
    const merged = await onImageThread('mergeObjectRemoval', { ...edited, mask }, context.signal);
    context.stage('storing', 'Storing the result', 92);
    return storeImage(context, merged, {
      metadataOf: input.keepMetadata ? edited.bytes : null,
      type: 'image/png',
      prompt: describeRemoval(object, name),
      engine: 'openai',
      notice: merged.pixels === 'model' ? notices.model : null,
    });
  },

  async offline(input, context) {
    const { object } = input;
    context.stage('opening', 'Opening the image', 2);
    const { bytes, name } = await readImage(context);
    const mask = await context.file('mask');
    const removed = mask
      ? await removePainted(bytes, mask.bytes, context)
      : await removeNamed(bytes, input, context);
    context.stage('storing', 'Storing the result', 92);
    return storeImage(context, removed, {
      metadataOf: input.keepMetadata ? bytes : null,
      type: 'image/png',
      prompt: describeRemoval(object, name),
      engine: 'offline',
      notice: noticeOf(removed),
      ...(removed.model !== undefined && { model: removed.model }),
    });
  },
};
