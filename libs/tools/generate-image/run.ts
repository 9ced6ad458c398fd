import type { EngineName } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { toJpegFiles } from '#libs/local-engine/images/jpeg.js';
import { drawArtwork } from '#libs/local-engine/artwork/draw.js';
import { seedOf } from '#libs/local-engine/random.js';
import type { AiProvider } from '#libs/ai/engine.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type { ToolInput } from '../catalogue.js';
import { publishPartials } from '../shared/partial-images.js';
import { readImage, storeImage } from '../shared/image-files.js';
import { editPrompt, imagePrompt, parsePrompt } from './prompt.js';

export const OFFLINE_NOTICE =
  'Procedural artwork inspired by your words. It is made of shapes and colours on this server, which cannot draw the subject itself.';

const CANNOT_CHANGE =
  'This server draws new pictures and cannot change one. Leave the picture out, or ask an operator to connect an AI service that can.';

export const generateImageHandler: ToolHandler<'generate-image'> = {
  async withProvider(input, provider, context) {
    context.stage('painting', 'The AI service is making the image', 5);
    const bytes = await makeImage(input, provider, context);
    context.stage('developing', 'Preparing the image', 80);
    const image = await toJpegFiles(bytes, input.size, context.signal);
    context.stage('storing', 'Storing the image', 92);
    return outcome(input, context, image, { engine: 'openai', notice: null, seed: null });
  },

  async offline(input, context) {
    if (input.creation !== undefined) throw new AppError('ENGINE_CANNOT', CANNOT_CHANGE);
    context.stage('composing', 'Composing the artwork', 5);
    const seed = input.seed ?? seedOf(context.jobId);
    const { subject, style } = parsePrompt(input);
    const drawing = drawArtwork(subject, style, input.size, seed);
    context.stage('painting', 'Painting the artwork', 20);
    const image = await toJpegFiles(Buffer.from(drawing), input.size, context.signal);
    context.stage('storing', 'Storing the image', 92);
    return outcome(input, context, image, { engine: 'offline', notice: OFFLINE_NOTICE, seed });
  },
};

/** Creates an image from the description, or from an earlier image if the request names an image. */
async function makeImage(
  input: ToolInput<'generate-image'>,
  provider: AiProvider,
  context: RunContext,
): Promise<Buffer> {
  const { size, creation } = input;
  const { signal } = context;
  const onPartial = publishPartials(context);
  if (creation === undefined)
    return provider.generateImage({ prompt: imagePrompt(input), size, onPartial }, signal);
  const { bytes } = await readImage(context);
  const { image } = await onImageThread('fitToCanvas', { bytes, mask: null, size }, signal);
  const prompt = editPrompt(input);
  return provider.editImage({ image: Buffer.from(image), prompt, size, onPartial }, signal);
}

async function outcome(
  { prompt, style, size, publish }: ToolInput<'generate-image'>,
  context: RunContext,
  image: Awaited<ReturnType<typeof toJpegFiles>>,
  { engine, notice, seed }: { engine: EngineName; notice: string | null; seed: number | null },
): Promise<ToolOutcome<'generate-image'>> {
  const stored = await storeImage(context, image, {
    type: 'image/jpeg',
    prompt,
    engine,
    notice,
    published: publish,
    settings: { ...(style && { style }), size, ...(seed !== null && { seed }) },
  });
  return { ...stored, result: { ...stored.result, seed } };
}
