/** A tensor in a message to or from a model's process. */
export type Tensor =
  | { type: 'float32'; data: Float32Array; dims: number[] }
  | { type: 'uint8'; data: Uint8Array; dims: number[] };

/** A grey picture with one byte a pixel; 0 is black. */
export interface GreyPicture {
  data: Uint8Array;
  width: number;
  height: number;
}

/** An RGB picture with three bytes a pixel. */
export type RgbPicture = GreyPicture;

/** A word of a scanned page; its box is in shares of the page, 0 to 1. */
export interface ScannedWord {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The text of a scanned page, line by line, with an empty line between paragraphs. */
export interface ScannedPage {
  text: string;
  words: ScannedWord[];
  /** Confidence in the letters, 0 to 100. */
  confidence: number;
}

/** A detected object; its box is in shares of the picture, 0 to 1. */
export interface DetectedObject {
  name: string;
  score: number;
  box: { left: number; top: number; right: number; bottom: number };
}

/** Input and output of a model, by the kind of its runtime. */
export interface RuntimeTasks {
  onnx: { input: Record<string, Tensor>; output: Record<string, Tensor> };
  'coco-ssd': { input: RgbPicture; output: DetectedObject[] };
  /** The input is a scanned page with 300 pixels an inch; the output is null when reading takes too long. */
  tesseract: { input: GreyPicture; output: ScannedPage | null };
  /**
   * A vector of length 1 for each text: vectors of similar texts have a high dot product. With a question, also the
   * word-by-word closeness of each text to the question, at most 1. A model may read questions (`areQuestions`) and passages
   * differently.
   */
  minilm: {
    input: { texts: string[]; question?: string; areQuestions?: boolean };
    output: { vectors: Float32Array[]; closeness: number[] };
  };
}
export type RuntimeKind = keyof RuntimeTasks;

/** How an embedding model reads texts. */
export interface EmbeddingSettings {
  queryPrefix: string;
  passagePrefix: string;
  /** The model reads at most this many tokens of a text. */
  maxTokens: number;
}

/** The first argument of a model's process. */
export interface RunnerOptions {
  kind: RuntimeKind;
  /** The model's files with their SHA-256. */
  files: { path: string; sha256: string }[];
  /** True if an ONNX model keeps its memory between requests, which is faster but takes more memory. */
  keepsMemory: boolean;
  /** The settings of an operator's embedding model, an ONNX file; without them, the files are MiniLM's. */
  embedding?: EmbeddingSettings;
}

export type RunnerAnswer = { output: unknown } | { error: string; isDamaged?: true };
