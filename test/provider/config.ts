import type { AiProvider } from '#libs/ai/engine.js';
import { createOpenAiProvider } from '#libs/ai/openai-provider.js';
import type { OpenAiConfig } from '#libs/config/environment.js';

/** Settings that connect our client to a fake provider, with timeouts for busy machines. */
export const configOf = ({ url }: { url: string }, changes: Partial<OpenAiConfig> = {}): OpenAiConfig => ({
  apiKey: 'any',
  baseUrl: url,
  textModel: 'fake-model',
  imageModel: 'gpt-image-1',
  isDefaultImageModel: false,
  imageHosts: [],
  firstTokenSeconds: 60,
  idleSeconds: 60,
  imageSeconds: 60,
  partialImages: 3,
  ...changes,
});

/** Our client of a fake provider. */
export const providerOf = (fake: { url: string }, changes: Partial<OpenAiConfig> = {}): AiProvider =>
  createOpenAiProvider(configOf(fake, changes));
