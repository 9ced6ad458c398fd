import type OpenAI from 'openai';
import { toFile } from 'openai';
import type { OpenAiConfig } from '#libs/config/environment.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider, TokenUsage } from '#libs/ai/engine.js';
import { answerEmpty, toEngineError } from './errors.js';
import { readPicture, type AnsweredPicture } from './picture.js';
import { createPatience } from './patience.js';

type ImageConfig = Pick<OpenAiConfig, 'apiKey' | 'imageModel' | 'imageSeconds'> & { baseUrl: string };

interface ImagesAnswer {
  data?: AnsweredPicture[];
  usage?: { input_tokens: number; output_tokens: number };
}

/** Pictures through `images.generate` and `images.edit`. One call is one request: the job platform retries. */
export function createImageCalls(
  client: OpenAI,
  config: ImageConfig,
): Pick<AiProvider, 'generateImage' | 'editImage'> {
  const common = { model: config.imageModel, n: 1, ...answerForm(config.imageModel) };

  /** Runs one request under both the caller's signal and our own limit, and reads the picture it answers. */
  async function ask(
    signal: AbortSignal,
    request: (signal: AbortSignal) => Promise<ImagesAnswer>,
    onUsage?: (usage: TokenUsage) => void,
  ): Promise<Buffer> {
    signal.throwIfAborted();
    const patience = createPatience();
    patience.wait(config.imageSeconds);
    const either = AbortSignal.any([signal, patience.signal]);
    try {
      const answer = await request(either);
      const { usage } = answer;
      if (usage) onUsage?.({ input: usage.input_tokens, output: usage.output_tokens });
      const picture = answer.data?.[0];
      if (!picture) throw answerEmpty();
      return await readPicture(picture, config, either);
    } catch (error) {
      signal.throwIfAborted();
      if (patience.signal.aborted) throw tooSlow(config.imageSeconds);
      if (error instanceof EngineError) throw error;
      throw toEngineError(error, { apiKey: config.apiKey, answering: false, kind: 'image' });
    } finally {
      patience.rest();
    }
  }

  return {
    generateImage: ({ prompt, size, onUsage }, signal) =>
      ask(signal, (both) => client.images.generate({ ...common, prompt, size }, { signal: both }), onUsage),

    editImage: ({ image, mask, prompt, size, background, onUsage }, signal) =>
      ask(
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

/** The DALL·E models answer an address unless asked for the bytes; the GPT image models refuse to be asked. */
const answerForm = (model: string) =>
  model.startsWith('dall-e') ? { response_format: 'b64_json' as const } : {};

const tooSlow = (seconds: number) =>
  new EngineError('The AI service did not finish the picture in time. Try again in a few minutes.', {
    retryable: true,
    scope: 'service',
    cause: new Error(`no picture in ${seconds} s`),
  });
