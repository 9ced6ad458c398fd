import { toJpegFiles } from '#libs/local-engine/images/jpeg.js';
import type { ToolHandler } from '#libs/jobs/tool-handler.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import { keepPicture } from '../shared/picture-files.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import type { ToolInput } from '../catalogue.js';
import { drawArtwork } from '#libs/local-engine/artwork/draw.js';
import { imagePrompt, readWish } from './prompt.js';
import { generateImage } from './contract.js';

/** What the offline engine's pictures are, in honest words. */
export const OFFLINE_NOTICE =
  'Procedural artwork inspired by your words. It is made of shapes and colours by the offline engine, which cannot draw the subject itself.';

export const generateImageHandler: ToolHandler<'generate-image'> = {
  async withProvider(input, provider, context) {
    context.stage('painting', 'The AI service is making the image', 5);
    const bytes = await provider.generateImage(
      { prompt: imagePrompt(input), size: input.size },
      context.signal,
    );
    return finish(input, context, bytes, 'openai', null);
  },

  async offline(input, context) {
    context.stage('composing', 'Composing the artwork', 5);
    const { subject, style } = readWish(input);
    const drawing = drawArtwork(subject, style, input.size);
    context.stage('painting', 'Painting the artwork', 20);
    return finish(input, context, Buffer.from(drawing), 'offline', OFFLINE_NOTICE);
  },
};

async function finish(
  input: ToolInput<'generate-image'>,
  context: RunContext,
  bytes: Buffer,
  engine: EngineName,
  notice: string | null,
) {
  if (engine === 'openai') context.stage('developing', 'Preparing the image', 80);
  const picture = await toJpegFiles(bytes);
  context.stage('storing', 'Storing the image', 92);
  const { fields, files } = await keepPicture(context, picture, 'image/jpeg');
  return {
    result: { ...fields, engine, notice },
    creation: {
      type: generateImage.creation.type,
      prompt: input.prompt,
      content: fields.content,
      files,
      published: input.publish,
    },
  };
}
