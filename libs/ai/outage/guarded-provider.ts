import type { AiProvider } from '#libs/ai/engine.js';
import type { Breaker } from './breaker.js';

/** A provider whose calls pass its breakers, one for texts and one for pictures: they are often different servers. */
export function guardProvider(
  provider: AiProvider,
  { text, image }: Record<'text' | 'image', Breaker>,
): AiProvider {
  return {
    ...provider,
    /** The first piece decides: a provider that begins to answer is there. */
    async *streamChat(request, signal) {
      const pieces = provider.streamChat(request, signal)[Symbol.asyncIterator]();
      try {
        let next = await text.through(() => pieces.next());
        for (; !next.done; next = await pieces.next()) yield next.value;
      } finally {
        await pieces.return?.();
      }
    },
    generateImage: (request, signal) => image.through(() => provider.generateImage(request, signal)),
    editImage: (request, signal) => image.through(() => provider.editImage(request, signal)),
  };
}
