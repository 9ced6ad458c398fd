import { createEmbedder } from '@lat.md/embed';

/** The model reads this much of a text. */
const MAX_TOKENS = 256;

/** Loads MiniLM-L6. @param files its weights, its tokenizer and its configuration */
export async function loadMiniLm([weights = '', tokenizer = '', config = '']: string[]) {
  const embedder = await createEmbedder({
    model: {
      id: 'minilm-l6-v2',
      dimensions: 384,
      maxTokens: MAX_TOKENS,
      pooling: 'mean',
      normalize: true,
      weightsPath: weights,
      tokenizerPath: tokenizer,
      configPath: config,
    },
  });
  return async (texts: string[]): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    // One text a call: many in one would start threads with a copy of the model each.
    for (const text of texts) {
      const [vector] = await embedder.embed([text]);
      vectors.push(Float32Array.from(vector as number[]));
    }
    return vectors;
  };
}
