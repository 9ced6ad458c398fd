import type OpenAI from 'openai';
import { toFile } from 'openai';
import { Stream } from 'openai/streaming';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine.js';
import type { AiProvider, ImageRequest } from './engine.js';
import { emptyAnswer, incompleteAnswer, isRefusedParameter, toEngineError } from './openai-errors.js';
import { readImageBytes, type ImagePayload } from './image-bytes.js';

type ImageConfig = Pick<OpenAiConfig, 'apiKey' | 'imageModel' | 'imageSeconds' | 'partialImages'> & {
  baseUrl: string;
};

interface ImagesResponse {
  data?: ImagePayload[];
  usage?: { input_tokens: number; output_tokens: number };
}

/** An event of an image stream, with a `type` such as `image_generation.partial_image` or `image_edit.completed`. */
interface ImageEvent extends ImagePayload {
  type?: string;
  usage?: ImagesResponse['usage'];
}

type Operation = 'generate' | 'edit';

/** After a server refused to stream, streaming is not requested for an hour. */
const RETRY_STREAMING_AFTER_MS = 60 * 60_000;

/** Calls `images.generate` and `images.edit`. Does not retry failed requests, because their jobs are retried. */
export function createImageCalls(
  client: OpenAI,
  config: ImageConfig,
  clock: Clock = systemClock,
): Pick<AiProvider, 'generateImage' | 'editImage'> {
  const common = { model: config.imageModel, n: 1, ...responseFormat(config.imageModel) };
  const canStream = config.partialImages > 0 && !isDallE(config.imageModel);
  /** For each operation, when the server refused to stream (`clock.elapsed()`). */
  const refusedAt = new Map<Operation, number>();

  /**
   * Sends a request with a timeout of `imageSeconds`, and reads the returned image. Streams if there is an `onPartial`. If
   * the server refuses to stream, repeats the request without streaming, and does not stream for an hour.
   */
  async function send(
    operation: Operation,
    signal: AbortSignal,
    { onPartial, onUsage }: ImageRequest,
    request: (
      streaming: { stream: true; partial_images: number } | Record<never, never>,
      signal: AbortSignal,
    ) => Promise<Response>,
  ): Promise<Buffer> {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(config.imageSeconds * 1000);
    const requestEnd = new AbortController();
    const requestSignal = AbortSignal.any([signal, timeout, requestEnd.signal]);
    const sendStreaming = async (partial: (image: Buffer) => void) => {
      const response = await request({ stream: true, partial_images: config.partialImages }, requestSignal);
      const isStream = response.headers.get('content-type')?.includes('text/event-stream');
      // Some servers ignore the parameter and send a normal response.
      if (!isStream) return (await response.json()) as ImagesResponse;
      return readStream(response, requestEnd, requestSignal, partial);
    };
    const sendPlain = async () => (await request({}, requestSignal)).json() as Promise<ImagesResponse>;
    const refused = refusedAt.get(operation);
    const isRefused = refused !== undefined && clock.elapsed() - refused < RETRY_STREAMING_AFTER_MS;
    try {
      const { usage, data } =
        onPartial && canStream && !isRefused
          ? await sendStreaming(onPartial).catch(async (error: unknown) => {
              if (!isRefusedParameter(error)) throw error;
              const answer = await sendPlain();
              refusedAt.set(operation, clock.elapsed());
              return answer;
            })
          : await sendPlain();
      if (usage) onUsage?.({ input: usage.input_tokens, output: usage.output_tokens });
      const image = data?.[0];
      if (!image) throw emptyAnswer();
      return await readImageBytes(image, config, requestSignal);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw timedOut(config.imageSeconds);
      if (error instanceof EngineError) throw error;
      throw toEngineError(error, { apiKey: config.apiKey, answering: false, kind: 'image' });
    } finally {
      requestEnd.abort();
    }
  }

  /** Reads a stream until its final image. @throws EngineError if the stream ends before */
  async function readStream(
    response: Response,
    requestEnd: AbortController,
    signal: AbortSignal,
    onPartial: (image: Buffer) => void,
  ): Promise<ImagesResponse> {
    for await (const event of Stream.fromSSEResponse<ImageEvent>(response, requestEnd, client)) {
      if (event.type?.endsWith('.completed')) return { data: [event], usage: event.usage };
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
      send('generate', signal, imageRequest, (streaming, requestSignal) => {
        const { prompt, size } = imageRequest;
        return client.images
          .generate({ ...common, prompt, size, ...streaming }, { signal: requestSignal })
          .asResponse();
      }),

    editImage: (imageRequest, signal) =>
      send('edit', signal, imageRequest, async (streaming, requestSignal) => {
        const { image, mask, prompt, size, background } = imageRequest;
        const files = {
          image: await toFile(image, 'image.png', { type: 'image/png' }),
          ...(mask && { mask: await toFile(mask, 'mask.png', { type: 'image/png' }) }),
        };
        return client.images
          .edit(
            { ...common, ...files, prompt, size, ...(background && { background }), ...streaming },
            { signal: requestSignal },
          )
          .asResponse();
      }),
  };
}

const isDallE = (model: string) => model.startsWith('dall-e');

/** Requests bytes instead of a URL from DALL·E models. GPT image models always return bytes, and reject the parameter. */
const responseFormat = (model: string) => (isDallE(model) ? { response_format: 'b64_json' as const } : {});

const timedOut = (seconds: number) =>
  new EngineError('The AI service did not finish the picture in time. Try again in a few minutes.', {
    retryable: true,
    scope: 'service',
    cause: new Error(`no picture in ${seconds} s`),
  });
