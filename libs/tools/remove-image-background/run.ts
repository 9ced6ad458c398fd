import { onImageThread, type ImageFiles } from '#libs/local-engine/images/image-threads.js';
import type { InputFile } from '#libs/contract/files.js';
import type { RunContext, ToolHandler } from '#libs/jobs/tool-handler.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import { keepPicture, readPicture } from '../shared/picture-files.js';
import { backgroundPrompt } from './prompt.js';
import { removeImageBackground } from './contract.js';

/** Where the bar stands as each of the offline engine's steps begins, and what the user reads. */
const steps: Record<string, [message: string, percent: number]> = {
  decoding: ['Reading the image', 5],
  segmenting: ['Looking for the subject', 15],
  refining: ['Refining the edges', 50],
  encoding: ['Preparing the result', 70],
};

const notices = {
  cut: 'A colour-based cut-out: check the edges.',
  already: 'This image already had a transparent background. It was left as it is.',
  model: 'The AI service painted the subject anew: details may differ from your image.',
};

export const removeImageBackgroundHandler: ToolHandler<'remove-image-background'> = {
  async withProvider(_input, provider, context) {
    context.stage('preparing', 'Preparing the image', 3);
    const file = await readPicture(context);
    const { signal } = context;
    const canvas = await onImageThread('fitToCanvas', { bytes: file.bytes, mask: null }, signal);
    context.stage('erasing', 'The AI service is removing the background', 10);
    const answer = await provider.editImage(
      {
        image: Buffer.from(canvas.image),
        prompt: backgroundPrompt,
        size: canvas.size,
        background: 'transparent',
      },
      signal,
    );
    context.stage('fitting', 'Fitting the result to your image', 80);
    const task = { bytes: file.bytes, answer, canvas: { size: canvas.size, place: canvas.place } };
    const picture = await onImageThread('mergeBackgroundRemoval', task, signal);
    return finish(context, file, picture, 'openai', picture.pixels === 'model' ? notices.model : null);
  },

  async offline(_input, context) {
    context.stage('opening', 'Opening the image', 2);
    const file = await readPicture(context);
    const picture = await onImageThread('removeBackground', { bytes: file.bytes }, context.signal, (step) => {
      const known = steps[step];
      if (known) context.stage(step, ...known);
    });
    return finish(context, file, picture, 'offline', notices[picture.kind]);
  },
};

async function finish(
  context: RunContext,
  file: InputFile,
  picture: ImageFiles,
  engine: EngineName,
  notice: string | null,
) {
  context.stage('storing', 'Storing the result', 92);
  const { fields, files } = await keepPicture(context, picture, 'image/png');
  return {
    result: { ...fields, engine, notice },
    creation: {
      type: removeImageBackground.creation.type,
      prompt: `Background removed from ${file.name}`,
      content: fields.content,
      files,
    },
  };
}
