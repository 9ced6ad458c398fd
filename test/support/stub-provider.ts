import type { AiProvider, ChatRequest } from '#libs/ai/engine.js';

/** A provider of texts, whose answers a test writes piece by piece. */
export function providerOf(
  streamChat: (request: ChatRequest, signal: AbortSignal) => AsyncIterable<string>,
): AiProvider {
  const noPictures = () => Promise.reject(new Error('This provider makes no pictures.'));
  return {
    name: 'openai',
    textModel: 'fake-model',
    imageModel: 'fake-image-model',
    streamChat,
    generateImage: noPictures,
    editImage: noPictures,
  };
}
