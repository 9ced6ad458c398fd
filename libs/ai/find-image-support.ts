import { APIError } from 'openai';
import type { Config, OpenAiConfig } from '#libs/config/environment.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { readImagesAnswer } from './images-answer.js';
import type { ImageSupport } from './image-support.js';
import { createClient } from './openai-provider.js';
import { isUnsupported } from './unsupported-images.js';

const paths: Record<ImageOperation, string> = { generate: '/images/generations', edit: '/images/edits' };
const TIMEOUT_MS = 10_000;

/**
 * Finds the image operations for which no configured service has an endpoint, and remembers them. Sends empty requests, which
 * no service charges.
 */
export async function findImageSupport(
  { ai, worker }: Config,
  support: Pick<ImageSupport, 'replace'>,
): Promise<void> {
  if (!ai || !worker.queues.includes('image')) return;
  const services = ai.fallback ? [ai.main, ai.fallback] : [ai.main];
  const missing: ImageOperation[] = [];
  for (const operation of ['generate', 'edit'] as const) {
    const answers = await Promise.all(services.map((service) => lacks(service, operation)));
    if (answers.every(Boolean)) missing.push(operation);
  }
  await support.replace(missing);
}

async function lacks(config: OpenAiConfig, operation: ImageOperation): Promise<boolean> {
  // OpenAI has both, and a chat may make pictures with an operator's model.
  if (config.baseUrl === undefined || !config.isDefaultImageModel) return false;
  try {
    const request = createClient(config).post(paths[operation], { body: {}, timeout: TIMEOUT_MS });
    await readImagesAnswer(await request.asResponse());
    return false;
  } catch (error) {
    // The request names no model, so an unknown model says nothing.
    return error instanceof APIError && isUnsupported(error, false);
  }
}
