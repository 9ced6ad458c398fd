import type { AiProvider } from './engine.js';
import type { Breaker } from './breaker.js';

/** Adds circuit breakers to a provider: one for text and one for images, which are often different servers. */
export function guardProvider(
  provider: AiProvider,
  { text, image }: Record<'text' | 'image', Breaker>,
): AiProvider {
  return {
    ...provider,
    /** The first piece counts as success: the provider is up. */
    async *streamChat(request, signal) {
      const pieces = provider.streamChat(request, signal)[Symbol.asyncIterator]();
      try {
        let next = await text.run(() => pieces.next());
        for (; !next.done; next = await pieces.next()) yield next.value;
      } finally {
        await pieces.return?.();
      }
    },
    generateImage: (request, signal) => image.run(() => provider.generateImage(request, signal)),
    editImage: (request, signal) => image.run(() => provider.editImage(request, signal)),
  };
}
