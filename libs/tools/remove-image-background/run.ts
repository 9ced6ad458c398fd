import { boxIn, editPrompt, type ImageBox, type ImageWarning } from '#libs/contract/images.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import type { RunContext, ToolHandler } from '#libs/jobs/tool-handler.js';
import type { CutOutModel } from '#libs/models/local-models.js';
import { editOnCanvas, readImage, reportSteps, storeImage } from '../shared/image-files.js';
import { hasModel, unlessUnavailable } from '../shared/local-model.js';
import { backgroundPrompt } from './prompt.js';

const steps: Record<string, [message: string, percent: number]> = {
  decoding: ['Reading the image', 5],
  segmenting: ['Looking for the subject', 15],
  refining: ['Refining the edges', 50],
  encoding: ['Preparing the result', 70],
};

const notices = {
  cut: 'The model for pictures is not on this server, so this was cut out by its colours: check the edges.',
  already:
    'This picture already has a transparent background and is unchanged. To cut out a part of it, draw a box around what you want to keep.',
  drawing:
    'This looks like a drawing or a text: only its plain background was removed. To cut out a part of it, draw a box around what you want to keep.',
  model: null,
  alsoTransparent: 'Parts of this picture were transparent already. They stay transparent.',
  painted: 'The AI service painted the subject anew: details may differ from your image.',
};

/** A smaller transparent share, as of thin rounded corners, is not worth a notice. */
const MIN_TRANSPARENT = 0.005;

/** The first model that can be used. The better ones are optional. */
async function cutOutModel(context: RunContext): Promise<CutOutModel | null> {
  for (const model of context.models.cutOutModels) if (await hasModel(context, model.id)) return model;
  return null;
}

const promptOf = (fileName: string) => editPrompt('Background', fileName);

/** The outcome for a picture that needs no AI service, because it is a cut-out already; null for any other. */
async function ownCutOut(context: RunContext, keepMetadata: boolean | undefined) {
  const { bytes, name } = await readImage(context);
  const kept = await onImageThread('keepCutOut', { bytes }, context.signal);
  if (!kept) return null;
  return storeImage(context, kept, {
    metadataOf: keepMetadata ? bytes : null,
    type: 'image/png',
    prompt: promptOf(name),
    engine: 'offline',
    notice: notices.already,
  });
}

function noticeOf({
  kind,
  transparent,
}: {
  kind: 'cut' | 'model' | 'already' | 'drawing';
  transparent: number;
}) {
  return notices[kind] ?? (transparent >= MIN_TRANSPARENT ? notices.alsoTransparent : null);
}

const checkEdge = (area: ImageBox): ImageWarning => ({
  code: 'check-edge',
  message: 'Check this edge: a part of the subject may be missing, or something else may have stayed.',
  area,
});

export const removeImageBackgroundHandler: ToolHandler<'remove-image-background'> = {
  async withProvider(input, provider, context) {
    const own = boxIn(input) ? null : await ownCutOut(context, input.keepMetadata);
    if (own) return own;
    const { name, edited } = await editOnCanvas(
      provider,
      context,
      'The AI service is removing the background',
      null,
      { prompt: backgroundPrompt(boxIn(input)), background: 'transparent' },
    );
    const merged = await onImageThread('mergeBackgroundRemoval', edited, context.signal);
    context.stage('storing', 'Storing the result', 92);
    return storeImage(context, merged, {
      metadataOf: input.keepMetadata ? edited.bytes : null,
      type: 'image/png',
      prompt: promptOf(name),
      engine: 'openai',
      notice: merged.pixels === 'model' ? notices.painted : null,
    });
  },

  async offline(input, context) {
    const box = boxIn(input);
    context.stage('opening', 'Opening the image', 2);
    const { bytes, name } = await readImage(context);
    const model = await cutOutModel(context);
    const byModel =
      model &&
      (await unlessUnavailable(() =>
        onImageThread(
          'cutOut',
          { bytes, box, input: model.input },
          context.signal,
          reportSteps(context, steps),
          ({ input: tensors }) => context.models.run(model.id, tensors, context.signal),
        ),
      ));
    const removed =
      byModel ??
      (await onImageThread('removeBackground', { bytes, box }, context.signal, reportSteps(context, steps)));
    context.stage('storing', 'Storing the result', 92);
    return storeImage(context, removed, {
      metadataOf: input.keepMetadata ? bytes : null,
      type: 'image/png',
      prompt: promptOf(name),
      engine: 'offline',
      notice: noticeOf(removed),
      warnings: 'doubt' in removed && removed.doubt ? [checkEdge(removed.doubt)] : [],
      ...(removed.kind === 'model' && model && { model: model.title }),
    });
  },
};
