import type { AiProvider } from './engine.js';
import type { Breaker } from './breaker.js';

/** Adds circuit breakers to a provider. Text and images have separate ones, because different servers may handle them. */
export function guardProvider(
  provider: AiProvider,
  { text, image }: Record<'text' | 'image', Breaker>,
): AiProvider {
  return {
    ...provider,
    /** The breaker counts the call as successful at the first chunk, which shows that the provider is up. */
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
