import type { AiProvider } from '#libs/ai/engine.js';
import { createOpenAiProvider } from '#libs/ai/openai-provider.js';
import type { OpenAiConfig } from '#libs/config/environment.js';

/** What connects our client to a fake provider: it times out after five seconds by default. */
export const configOf = ({ url }: { url: string }, changes: Partial<OpenAiConfig> = {}): OpenAiConfig => ({
  apiKey: 'any',
  baseUrl: url,
  textModel: 'fake-model',
  imageModel: 'gpt-image-1',
  firstTokenSeconds: 5,
  idleSeconds: 5,
  imageSeconds: 5,
  partialImages: 3,
  ...changes,
});

/** Our client of a fake provider. */
export const providerOf = (fake: { url: string }, changes: Partial<OpenAiConfig> = {}): AiProvider =>
  createOpenAiProvider(configOf(fake, changes));
