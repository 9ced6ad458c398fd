/** Numbers with their dimensions, as they cross to a model's process and back. */
export type Tensor =
  | { type: 'float32'; data: Float32Array; dims: number[] }
  | { type: 'uint8'; data: Uint8Array; dims: number[] };

/** An RGB picture, three bytes a pixel. */
export interface RgbPicture {
  data: Uint8Array;
  width: number;
  height: number;
}

/** One byte a pixel, 0 is black. */
export interface GreyPicture {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A word of a scanned page; its box in shares of the page, from 0 to 1. */
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
  /** How sure it is of the letters, from 0 to 100. */
  confidence: number;
}

/** An object that was found; the box in shares of the picture, from 0 to 1. */
export interface DetectedObject {
  name: string;
  score: number;
  box: { left: number; top: number; right: number; bottom: number };
}

/** What a model takes and returns, by the kind of its runtime. */
export interface RuntimeTasks {
  onnx: { input: Record<string, Tensor>; output: Record<string, Tensor> };
  'coco-ssd': { input: RgbPicture; output: DetectedObject[] };
  /** A page as it is scanned, 300 pixels an inch; null where it takes too long. */
  tesseract: { input: GreyPicture; output: ScannedPage | null };
  /**
   * A vector of length 1 for each text: texts of like meaning have a high product. With a question, also how closely each text
   * meets it word by word, at most 1.
   */
  minilm: {
    input: { texts: string[]; question?: string };
    output: { vectors: Float32Array[]; closeness: number[] };
  };
}
export type RuntimeKind = keyof RuntimeTasks;

/** The first argument of a model's process. */
export interface RunnerOptions {
  kind: RuntimeKind;
  /** The model's files with their SHA-256. */
  files: { path: string; sha256: string }[];
  /** Of an ONNX model: whether its memory is kept between requests. It is faster, and takes more. */
  keepsMemory: boolean;
}

export type RunnerAnswer = { output: unknown } | { error: string; isDamaged?: true };
