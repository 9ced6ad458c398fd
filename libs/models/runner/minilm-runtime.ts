import type { RuntimeTasks } from './messages.js';
import { OnnxGraph } from './onnx-graph.js';
import { loadOnnxLibrary, sessionOptions } from './onnx-runtime.js';
import { wordPieces } from './word-pieces.js';

type MiniLm = RuntimeTasks['minilm'];

/** The model reads this much of a text. */
const MAX_TOKENS = 256;
const LAYERS = 6;
const HEADS = 12;
const WIDTH = 384;

/** A list of vectors of length 1, one after the other. */
type Tokens = Float32Array;

/** Loads MiniLM-L6. @param files its weights in the format of safetensors, and its tokenizer */
export async function loadMiniLm([weights, tokenizer]: Buffer[]) {
  const library = await loadOnnxLibrary();
  const session = await library.InferenceSession.create(modelOf(weights as Buffer), sessionOptions(false));
  const { model } = JSON.parse((tokenizer as Buffer).toString('utf8')) as {
    model: { vocab: Record<string, number> };
  };
  const tokensOf = wordPieces(model.vocab, MAX_TOKENS);

  /** A vector for each token, in its context. */
  const read = async (text: string): Promise<Tokens> => {
    const tokens = tokensOf(text);
    const list = (values: Iterable<number>) =>
      new library.Tensor('int64', BigInt64Array.from(values, BigInt), [tokens.length]);
    const made = await session.run({ tokens: list(tokens), places: list(tokens.keys()) });
    return made[session.outputNames[0] as string]?.data as Float32Array;
  };

  return async ({ texts, question }: MiniLm['input']): Promise<MiniLm['output']> => {
    const asked = question === undefined ? null : normalised(await read(question));
    const output: MiniLm['output'] = { vectors: [], closeness: [] };
    for (const text of texts) {
      const tokens = await read(text);
      output.vectors.push(meanOf(tokens));
      if (asked) output.closeness.push(closenessOf(asked, normalised(tokens)));
    }
    return output;
  };
}

/** How well a question's tokens are met: for each, the likeness of the token of the text that is most like it; their mean. */
function closenessOf(question: Tokens, text: Tokens): number {
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

function meanOf(tokens: Float32Array): Float32Array {
  const mean = new Float32Array(WIDTH);
  for (const [at, value] of tokens.entries()) mean[at % WIDTH] = (mean[at % WIDTH] as number) + value;
  return normalised(mean);
}

/** Each vector at length 1. */
function normalised(tokens: Float32Array): Float32Array {
  const result = new Float32Array(tokens.length);
  for (let at = 0; at < tokens.length; at += WIDTH) {
    const vector = tokens.subarray(at, at + WIDTH);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let i = 0; i < WIDTH; i += 1) result[at + i] = (vector[i] as number) / length;
  }
  return result;
}

/** The model as an ONNX file, from the weights of its authors. The weights have 16 bits a number, the sums 32. */
function modelOf(weights: Buffer): Buffer {
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
  const toFloat = (value: string) => graph.node('Cast', [value], { to: 1 });
  const weight = (name: string) => toFloat(half(name));
  const linear = (value: string, name: string) =>
    graph.node('Gemm', [value, weight(`${name}.weight`), weight(`${name}.bias`)], { transB: 1 });
  const norm = (value: string, name: string) =>
    graph.node('LayerNormalization', [value, weight(`${name}.weight`), weight(`${name}.bias`)], {
      epsilon: { float: 1e-12 },
    });
  const add = (a: string, b: string) => graph.node('Add', [a, b]);
  const turn = (value: string, perm: number[]) => graph.node('Transpose', [value], { perm });
  const row = (table: string, index: string) =>
    toFloat(graph.node('Gather', [half(`embeddings.${table}.weight`), index]));

  const perHead = graph.int64([0, HEADS, WIDTH / HEADS]);
  const together = graph.int64([0, WIDTH]);
  const scale = graph.float32(1 / Math.sqrt(WIDTH / HEADS));
  const heads = (value: string) => graph.node('Reshape', [value, perHead]);

  let state = norm(
    add(
      add(row('word_embeddings', graph.input('tokens')), row('position_embeddings', graph.input('places'))),
      row('token_type_embeddings', graph.int64([0])),
    ),
    'embeddings.LayerNorm',
  );
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const at = `encoder.layer.${layer}`;
    const [query, key, value] = ['query', 'key', 'value'].map((name) =>
      heads(linear(state, `${at}.attention.self.${name}`)),
    ) as [string, string, string];
    const alike = graph.node('MatMul', [turn(query, [1, 0, 2]), turn(key, [1, 2, 0])]);
    const attention = graph.node('Softmax', [graph.node('Mul', [alike, scale])], { axis: -1 });
    const seen = turn(graph.node('MatMul', [attention, turn(value, [1, 0, 2])]), [1, 0, 2]);
    const joined = linear(graph.node('Reshape', [seen, together]), `${at}.attention.output.dense`);
    state = norm(add(joined, state), `${at}.attention.output.LayerNorm`);
    const inner = graph.node('Gelu', [linear(state, `${at}.intermediate.dense`)]);
    state = norm(add(linear(inner, `${at}.output.dense`), state), `${at}.output.LayerNorm`);
  }
  return graph.build(state, 20);
}
