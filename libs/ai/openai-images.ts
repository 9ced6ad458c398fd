import type OpenAI from 'openai';
import { APIError, toFile } from 'openai';
import { Stream } from 'openai/streaming';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError, type ImageOperation } from '#libs/contract/engine.js';
import { AcceptedParameters, nearestSize } from './accepted-parameters.js';
import type { AiProvider, ImageEdit, ImageRequest, TokenUsage } from './engine.js';
import { chatForImage } from './chat-images.js';
import { incompleteAnswer, isRefusedParameter, toEngineError } from './openai-errors.js';
import { readImageBytes, type ImagePayload } from './image-bytes.js';
import { readImagesAnswer, type ImagesAnswer } from './images-answer.js';
import { readTokenUsage, type SentUsage } from './token-usage.js';
import { isUnsupported, unsupportedImages } from './unsupported-images.js';

type ImageConfig = Pick<
  OpenAiConfig,
  'apiKey' | 'imageModel' | 'isDefaultImageModel' | 'imageHosts' | 'imageSeconds' | 'partialImages'
> & {
  baseUrl: string;
};

/** An event of an image stream, with a `type` such as `image_generation.partial_image` or `image_edit.completed`. */
interface ImageEvent extends ImagePayload {
  type?: string;
  usage?: SentUsage;
}

/** Sizes of models that lack one of ours. */
const modelSizes: Record<string, readonly string[]> = {
  'dall-e-3': ['1024x1024', '1792x1024', '1024x1792'],
  'dall-e-2': ['1024x1024'],
};

/** Calls `images.generate` and `images.edit`. Does not retry failed requests, because their jobs are retried. */
export function createImageCalls(
  client: OpenAI,
  config: ImageConfig,
  clock: Clock = systemClock,
): Pick<AiProvider, 'generateImage' | 'editImage'> {
  const { imageModel: model } = config;
  const canStream = config.partialImages > 0 && !isDallE(model);
  const accepted = {
    generate: new AcceptedParameters(clock),
    edit: new AcceptedParameters(clock),
    chat: new AcceptedParameters(clock),
  };
  /** When the chat last made a picture because there was no endpoint for images, as `clock.elapsed()`. */
  const chatUsedAt = new Map<ImageOperation, number>();

  /**
   * Sends a request with a timeout of `imageSeconds`, and reads the returned image. Streams if there is an `onPartial`.
   * Parameters that the server refuses are left out.
   */
  async function send(
    operation: ImageOperation,
    signal: AbortSignal,
    imageRequest: ImageRequest & Partial<ImageEdit>,
    request: (parameters: object, signal: AbortSignal) => Promise<Response>,
  ): Promise<Buffer> {
    signal.throwIfAborted();
    const { onPartial, onResponse, size, background } = imageRequest;
    const timeout = AbortSignal.timeout(config.imageSeconds * 1000);
    const requestEnd = new AbortController();
    const requestSignal = AbortSignal.any([signal, timeout, requestEnd.signal]);
    const parameters = {
      n: 1,
      size: nearestSize(size, modelSizes[model] ?? [size]),
      ...responseFormat(model),
      ...(background && { background }),
      ...(onPartial && canStream && { stream: true, partial_images: config.partialImages }),
    };
    const count = (usage: TokenUsage | null) =>
      onResponse?.({
        ...{ usage, inputCharacters: imageRequest.prompt.length, outputCharacters: 0 },
        images: 1,
      });
    let isAnswered = false;
    let isCounted = false;
    try {
      const { usage, image } = await withChat(operation, imageRequest, requestSignal, () =>
        accepted[operation].send(parameters, async (left) => {
          const response = await request({ model, ...left }, requestSignal);
          isAnswered = true;
          // Some servers ignore `stream` and send a normal response.
          return onPartial && response.headers.get('content-type')?.includes('text/event-stream')
            ? readStream(response, requestEnd, requestSignal, onPartial)
            : readImagesAnswer(response);
        }),
      );
      isCounted = true;
      count(readTokenUsage(usage));
      return await readImageBytes(image, config, requestSignal);
    } catch (error) {
      // The provider draws, and bills, a picture that nobody waits for any more.
      const isLost = isAnswered && !(error instanceof APIError) && !(error instanceof EngineError);
      if (!isCounted && (requestSignal.aborted || isLost)) count(null);
      signal.throwIfAborted();
      if (timeout.aborted) throw timedOut(config.imageSeconds);
      if (error instanceof EngineError) throw error;
      const known = toEngineError(error, { apiKey: config.apiKey, answering: false, kind: 'image' });
      if (error instanceof APIError && isUnsupported(error, config.isDefaultImageModel))
        throw unsupportedImages(operation, known);
      throw known;
    } finally {
      requestEnd.abort();
    }
  }

  /** Requests the picture by `send`, or in a chat if the operator's model has no endpoint for images. */
  async function withChat(
    operation: ImageOperation,
    imageRequest: ImageRequest & Partial<ImageEdit>,
    signal: AbortSignal,
    viaEndpoint: () => Promise<ImagesAnswer>,
  ): Promise<ImagesAnswer> {
    const usedAt = chatUsedAt.get(operation) ?? -Infinity;
    let missing: APIError | undefined;
    if (clock.elapsed() - usedAt > CHAT_MS) {
      try {
        return await viaEndpoint();
      } catch (error) {
        if (config.isDefaultImageModel || !(error instanceof APIError) || !isUnsupported(error, false))
          throw error;
        missing = error;
      }
    }
    try {
      const answer = await chatForImage(client, imageRequest, { model, accepted: accepted.chat, signal });
      if (missing) chatUsedAt.set(operation, clock.elapsed());
      return answer;
    } catch (error) {
      // A model that never made a picture makes none.
      if (missing && isAnsweredWithoutPicture(error)) throw missing;
      throw error;
    }
  }

  /** Reads a stream until its final image. @throws EngineError if the stream ends before */
  async function readStream(
    response: Response,
    requestEnd: AbortController,
    signal: AbortSignal,
    onPartial: (image: Buffer) => void,
  ): Promise<ImagesAnswer> {
    for await (const event of Stream.fromSSEResponse<ImageEvent>(response, requestEnd, client)) {
      if (event.type?.endsWith('.completed')) return { image: event, usage: event.usage };
      if (!event.type?.endsWith('.partial_image')) continue;
      const image = await readImageBytes(event, config, signal).catch(() => null);
      if (image) onPartial(image);
    }
    // Checks the signal, because the OpenAI client's iterator ends without an error after an abort.
    signal.throwIfAborted();
    throw incompleteAnswer(new Error('the stream ended without a picture'));
  }

  return {
    generateImage: (imageRequest, signal) =>
      send('generate', signal, imageRequest, (parameters, requestSignal) => {
        const body = { prompt: imageRequest.prompt, ...parameters };
        return client.images.generate(body, { signal: requestSignal }).asResponse();
      }),

    editImage: (imageRequest, signal) =>
      send('edit', signal, imageRequest, async (parameters, requestSignal) => {
        const { image, mask, prompt } = imageRequest;
        const files = {
          image: await toFile(image, 'image.png', { type: 'image/png' }),
          ...(mask && { mask: await toFile(mask, 'mask.png', { type: 'image/png' }) }),
        };
        return client.images
          .edit({ ...files, prompt, ...parameters }, { signal: requestSignal })
          .asResponse();
      }),
  };
}

/** A server without endpoints for images is asked for them again after an hour. */
const CHAT_MS = 60 * 60_000;

/** True if a chat is refused, or answered with something else than a picture. */
const isAnsweredWithoutPicture = (error: unknown) =>
  error instanceof EngineError ||
  error instanceof SyntaxError ||
  (error instanceof APIError && (error.status === 404 || isRefusedParameter(error)));

const isDallE = (model: string) => model.startsWith('dall-e');

/** Requests bytes instead of a URL, which most servers return otherwise. GPT image models reject the parameter. */
const responseFormat = (model: string) =>
  /(^|\/)(chat)?gpt-image/.test(model) ? {} : { response_format: 'b64_json' };

const timedOut = (seconds: number) =>
  new EngineError('The AI service did not finish the picture in time. Try again in a few minutes.', {
    retryable: true,
    scope: 'service',
    providerCode: 'timeout',
    cause: new Error(`no picture in ${seconds} s`),
  });
