import type OpenAI from 'openai';
import { toFile } from 'openai';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider, TokenUsage } from './engine.js';
import { emptyAnswer, toEngineError } from './openai-errors.js';
import { readImageBytes, type ImagePayload } from './image-bytes.js';

type ImageConfig = Pick<OpenAiConfig, 'apiKey' | 'imageModel' | 'imageSeconds'> & { baseUrl: string };

interface ImagesResponse {
  data?: ImagePayload[];
  usage?: { input_tokens: number; output_tokens: number };
}

/** Calls `images.generate` and `images.edit`. One call is one request: the job platform retries. */
export function createImageCalls(
  client: OpenAI,
  config: ImageConfig,
): Pick<AiProvider, 'generateImage' | 'editImage'> {
  const common = { model: config.imageModel, n: 1, ...responseFormat(config.imageModel) };

  /** Sends one request, limited by the caller's signal and by `imageSeconds`, and reads the returned image. */
  async function send(
    signal: AbortSignal,
    request: (signal: AbortSignal) => Promise<ImagesResponse>,
    onUsage?: (usage: TokenUsage) => void,
  ): Promise<Buffer> {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(config.imageSeconds * 1000);
    const either = AbortSignal.any([signal, timeout]);
    try {
      const { usage, data } = await request(either);
      if (usage) onUsage?.({ input: usage.input_tokens, output: usage.output_tokens });
      const image = data?.[0];
      if (!image) throw emptyAnswer();
      return await readImageBytes(image, config, either);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw timedOut(config.imageSeconds);
      if (error instanceof EngineError) throw error;
      throw toEngineError(error, { apiKey: config.apiKey, answering: false, kind: 'image' });
    }
  }

  return {
    generateImage: ({ prompt, size, onUsage }, signal) =>
      send(signal, (both) => client.images.generate({ ...common, prompt, size }, { signal: both }), onUsage),

    editImage: ({ image, mask, prompt, size, background, onUsage }, signal) =>
      send(
        signal,
        async (both) => {
          const files = {
            image: await toFile(image, 'image.png', { type: 'image/png' }),
            ...(mask && { mask: await toFile(mask, 'mask.png', { type: 'image/png' }) }),
          };
          return client.images.edit(
            { ...common, ...files, prompt, size, ...(background && { background }) },
            { signal: both },
          );
        },
        onUsage,
      ),
  };
}

/** DALL·E models return a URL unless asked for the bytes; the GPT image models reject the parameter. */
const responseFormat = (model: string) =>
  model.startsWith('dall-e') ? { response_format: 'b64_json' as const } : {};

const timedOut = (seconds: number) =>
  new EngineError('The AI service did not finish the picture in time. Try again in a few minutes.', {
    retryable: true,
    scope: 'service',
    cause: new Error(`no picture in ${seconds} s`),
  });
