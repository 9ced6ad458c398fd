import type OpenAI from 'openai';
import { sizeInPixels } from '#libs/contract/images.js';
import type { AcceptedParameters } from './accepted-parameters.js';
import type { ImageEdit, ImageRequest } from './engine.js';
import { readImagesAnswer, type ImagesAnswer } from './images-answer.js';

/**
 * Requests a picture as the answer of a chat, which OpenRouter and other gateways offer in place of endpoints for images.
 * They take no mask, so it is sent as a second picture.
 * @throws APIError, or EngineError if the answer has no picture
 */
export function chatForImage(
  client: OpenAI,
  { prompt, size, image, mask }: ImageRequest & Partial<Pick<ImageEdit, 'image' | 'mask'>>,
  { model, accepted, signal }: { model: string; accepted: AcceptedParameters; signal: AbortSignal },
): Promise<ImagesAnswer> {
  const pictures = [image, mask].flatMap((png) => (png ? [pictureOf(png)] : []));
  const content = [{ type: 'text', text: prompt }, ...pictures];
  const { width, height } = sizeInPixels(size);
  const wanted = { modalities: ['image', 'text'], image_config: { aspect_ratio: ratioOf(width, height) } };
  return accepted.send(wanted, async (left) => {
    const body = { model, messages: [{ role: 'user', content }], stream: false, ...left };
    return readImagesAnswer(await client.post('/chat/completions', { body, signal }).asResponse());
  });
}

const pictureOf = (png: Buffer) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${png.toString('base64')}` },
});

const ratioOf = (width: number, height: number) =>
  width === height ? '1:1' : width > height ? '3:2' : '2:3';
