import { toJpegFiles } from '#libs/local-engine/images/jpeg.js';
import { drawArtwork } from '#libs/local-engine/artwork/draw.js';
import type { ToolHandler } from '#libs/jobs/tool-handler.js';
import { storeImage } from '../shared/image-files.js';
import { imagePrompt, parsePrompt } from './prompt.js';

export const OFFLINE_NOTICE =
  'Procedural artwork inspired by your words. It is made of shapes and colours on this server, which cannot draw the subject itself.';

export const generateImageHandler: ToolHandler<'generate-image'> = {
  async withProvider(input, provider, context) {
    context.stage('painting', 'The AI service is making the image', 5);
    const prompt = imagePrompt(input);
    const bytes = await provider.generateImage({ prompt, size: input.size }, context.signal);
    context.stage('developing', 'Preparing the image', 80);
    const image = await toJpegFiles(bytes, context.signal);
    context.stage('storing', 'Storing the image', 92);
    return storeImage(context, image, {
      type: 'image/jpeg',
      prompt: input.prompt,
      engine: 'openai',
      notice: null,
      published: input.publish,
    });
  },

  async offline(input, context) {
    context.stage('composing', 'Composing the artwork', 5);
    const { subject, style } = parsePrompt(input);
    const drawing = drawArtwork(subject, style, input.size);
    context.stage('painting', 'Painting the artwork', 20);
    const image = await toJpegFiles(Buffer.from(drawing), context.signal);
    context.stage('storing', 'Storing the image', 92);
    return storeImage(context, image, {
      type: 'image/jpeg',
      prompt: input.prompt,
      engine: 'offline',
      notice: OFFLINE_NOTICE,
      published: input.publish,
    });
  },
};
