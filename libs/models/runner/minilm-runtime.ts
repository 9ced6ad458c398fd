import { Tokenizer } from '@huggingface/tokenizers';
import { LRUCache } from 'lru-cache';
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import type { EmbeddingSettings, RuntimeTasks } from './messages.js';
import { OnnxGraph, onnxTypes } from './onnx-graph.js';
import { loadOnnxLibrary, sessionOptions } from './onnx-runtime.js';

type MiniLm = RuntimeTasks['minilm'];

const MINILM: EmbeddingSettings = { queryPrefix: '', passagePrefix: '', maxTokens: 256 };
const LAYERS = 6;
const HEADS = 12;
const WIDTH = 384;
/** Size of the cache of token vectors. The next question about a document compares many of the same texts. */
const MAX_CACHED_BYTES = 32e6;

/** The concatenated vectors of a text's tokens. */
type TokenVectors = Float32Array;

type Feeds = (tokens: number[]) => Record<string, Tensor>;

/** Loads MiniLM-L6. @param files weights in the safetensors format, and the tokenizer */
export const loadMiniLm = ([weights, tokenizer]: Buffer[]) =>
  loadEmbedding([miniLmGraph(weights as Buffer), tokenizer as Buffer], MINILM);

/**
 * Loads a model of BERT's kind with vectors of 384 numbers, such as gte-small or e5-small.
 * @param files the ONNX file, as exporters of transformers write it, and the tokenizer
 * @throws if the model has inputs that are not those of BERT
 */
export async function loadEmbedding([model, tokenizer]: Buffer[], settings: EmbeddingSettings) {
  const library = await loadOnnxLibrary();
  const session = await library.InferenceSession.create(model as Buffer, sessionOptions(false));
  const values: Record<string, (token: number, at: number) => number> = {
    input_ids: (token) => token,
    attention_mask: () => 1,
    token_type_ids: () => 0,
    position_ids: (_, at) => at,
  };
  const unknown = session.inputNames.find((name) => !values[name]);
  if (unknown !== undefined || !session.inputNames.includes('input_ids')) {
    throw new Error(
      `The model has the inputs ${session.inputNames.join(', ')}; it may only have ${Object.keys(values).join(', ')}.`,
    );
  }
  const feeds: Feeds = (tokens) =>
    Object.fromEntries(
      session.inputNames.map((name) => {
        const data = BigInt64Array.from(tokens.map(values[name]!), BigInt);
        return [name, new library.Tensor('int64', data, [1, tokens.length])];
      }),
    );
  return embedder(session, tokenizer as Buffer, feeds, settings);
}

function embedder(
  session: InferenceSession,
  tokenizerFile: Buffer,
  feeds: Feeds,
  settings: EmbeddingSettings,
) {
  const { queryPrefix, passagePrefix, maxTokens } = settings;
  const tokenizer = new Tokenizer(JSON.parse(tokenizerFile.toString('utf8')) as object, {});
  /** The last token marks the end of the text, so a truncated text keeps it. */
  const tokensOf = (text: string): number[] => {
    const { ids } = tokenizer.encode(text);
    return ids.length > maxTokens ? [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)] : ids;
  };

  const embedTokens = async (text: string): Promise<TokenVectors> => {
    const tokens = tokensOf(text);
    const first = session.outputNames[0] as string;
    const vectors = (await session.run(feeds(tokens), [first]))[first]?.data;
    if (!(vectors instanceof Float32Array) || vectors.length !== tokens.length * WIDTH) {
      throw new Error(`The first output of the model must have ${WIDTH} 32-bit numbers for each token.`);
    }
    return vectors;
  };

  const cache = new LRUCache<string, TokenVectors>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  const embedCached = async (text: string): Promise<TokenVectors> => {
    const tokens = cache.get(text) ?? (await embedTokens(text));
    cache.set(text, tokens);
    return tokens;
  };

  return async ({ texts, question, areQuestions }: MiniLm['input']): Promise<MiniLm['output']> => {
    const questionVectors =
      question === undefined ? null : normalised(await embedTokens(queryPrefix + question));
    const prefix = areQuestions ? queryPrefix : passagePrefix;
    const output: MiniLm['output'] = { vectors: [], closeness: [] };
    for (const text of texts) {
      const tokens = await (questionVectors ? embedCached : embedTokens)(prefix + text);
      output.vectors.push(meanOf(tokens));
      if (questionVectors) output.closeness.push(closenessOf(questionVectors, normalised(tokens)));
    }
    return output;
  };
}

/** The mean over a question's tokens of the highest similarity to a token of the text (MaxSim of ColBERT, arXiv:2004.12832). */
function closenessOf(question: TokenVectors, text: TokenVectors): number {
  let sum = 0;
  for (let q = 0; q < question.length; q += WIDTH) {
    let best = -1;
    for (let t = 0; t < text.length; t += WIDTH) {
      let product = 0;
      for (let i = 0; i < WIDTH; i += 1) product += (question[q + i] as number) * (text[t + i] as number);
      best = Math.max(best, product);
    }
    sum += best;
  }
  return (sum * WIDTH) / question.length;
}

function meanOf(tokens: TokenVectors): Float32Array {
  const mean = new Float32Array(WIDTH);
  for (const [at, value] of tokens.entries()) mean[at % WIDTH] = (mean[at % WIDTH] as number) + value;
  return normalised(mean);
}

/** Scales each vector to length 1. */
function normalised(tokens: TokenVectors): TokenVectors {
  const result = new Float32Array(tokens.length);
  for (let at = 0; at < tokens.length; at += WIDTH) {
    const vector = tokens.subarray(at, at + WIDTH);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let i = 0; i < WIDTH; i += 1) result[at + i] = (vector[i] as number) / length;
  }
  return result;
}

/** Builds the model as an ONNX file from its authors' weights. Weights have 16 bits, sums 32. */
export function miniLmGraph(weights: Buffer): Buffer {
  const start = 8 + Number(weights.readBigUInt64LE());
  const entries = JSON.parse(weights.toString('utf8', 8, start)) as Record<
    string,
    { shape: number[]; data_offsets: [number, number] }
  >;
  const graph = new OnnxGraph();
  const half = (name: string) => {
    const entry = entries[name];
    if (!entry) throw new Error(`The weights have no ${name}.`);
    const [from, to] = entry.data_offsets;
    return graph.constant('float16', entry.shape, weights.subarray(start + from, start + to));
  };
  const toFloat = (value: string) => graph.node('Cast', [value], { to: onnxTypes.float32 });
  const weight = (name: string) => toFloat(half(name));
  const linear = (value: string, name: string) =>
    graph.node('Gemm', [value, weight(`${name}.weight`), weight(`${name}.bias`)], { transB: 1 });
  const norm = (value: string, name: string) =>
    graph.node('LayerNormalization', [value, weight(`${name}.weight`), weight(`${name}.bias`)], {
      epsilon: { float: 1e-12 },
    });
  const add = (a: string, b: string) => graph.node('Add', [a, b]);
  const transpose = (value: string, perm: number[]) => graph.node('Transpose', [value], { perm });
  const row = (table: string, index: string) =>
    toFloat(graph.node('Gather', [half(`embeddings.${table}.weight`), index]));

  const anyLength = graph.int64([-1]);
  const list = (name: string) => graph.node('Reshape', [graph.input(name), anyLength]);
  const perHead = graph.int64([0, HEADS, WIDTH / HEADS]);
  const joinedHeads = graph.int64([0, WIDTH]);
  const scale = graph.float32(1 / Math.sqrt(WIDTH / HEADS));
  const heads = (value: string) => graph.node('Reshape', [value, perHead]);

  let state = norm(
    add(
      add(row('word_embeddings', list('input_ids')), row('position_embeddings', list('position_ids'))),
      row('token_type_embeddings', graph.int64([0])),
    ),
    'embeddings.LayerNorm',
  );
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const at = `encoder.layer.${layer}`;
    const [query, key, value] = ['query', 'key', 'value'].map((name) =>
      heads(linear(state, `${at}.attention.self.${name}`)),
    ) as [string, string, string];
    const scores = graph.node('MatMul', [transpose(query, [1, 0, 2]), transpose(key, [1, 2, 0])]);
    const attention = graph.node('Softmax', [graph.node('Mul', [scores, scale])], { axis: -1 });
    const context = transpose(graph.node('MatMul', [attention, transpose(value, [1, 0, 2])]), [1, 0, 2]);
    const attended = linear(graph.node('Reshape', [context, joinedHeads]), `${at}.attention.output.dense`);
    state = norm(add(attended, state), `${at}.attention.output.LayerNorm`);
    const inner = graph.node('Gelu', [linear(state, `${at}.intermediate.dense`)]);
    state = norm(add(linear(inner, `${at}.output.dense`), state), `${at}.output.LayerNorm`);
  }
  return graph.build(state, 20);
}
