import type { Tensor } from './runner/messages.js';

type Colour = [red: number, green: number, blue: number];

/** How a segmentation model reads a picture, and what it answers. */
export interface SegmentationInput {
  /** The side of its square input, in pixels. */
  side: number;
  /** A colour's value is divided by `scale`, then `mean` is subtracted, then it is divided by `deviation`. */
  mean: Colour;
  deviation: Colour;
  /** 255, or the brightest value in the picture. */
  scale: '255' | 'brightest';
  /** `logit`: the likelihood is the logistic function of the answer. */
  output: 'probability' | 'logit';
  /** True if the model runs again on close-ups of the subject. */
  closeUps: boolean;
}

/** U²-Net and U²-Net-p, with mean and deviation of ImageNet. */
export const uNetInput: SegmentationInput = {
  side: 320,
  mean: [0.485, 0.456, 0.406],
  deviation: [0.229, 0.224, 0.225],
  scale: 'brightest',
  output: 'probability',
  closeUps: true,
};

/** The input tensor of a picture of three bytes a pixel, in `side` columns and rows. */
export function toTensor(pixels: Uint8Array, { side, mean, deviation, scale }: SegmentationInput): Tensor {
  const size = side * side;
  const highest = scale === '255' ? 255 : pixels.reduce((brightest, value) => Math.max(brightest, value), 1);
  const data = new Float32Array(3 * size);
  for (let i = 0; i < size; i += 1) {
    for (let c = 0; c < 3; c += 1) {
      data[c * size + i] =
        ((pixels[i * 3 + c] as number) / highest - (mean[c] as number)) / (deviation[c] as number);
    }
  }
  return { type: 'float32', data, dims: [1, 3, side, side] };
}

/**
 * The likelihoods in a model's answer: a square of numbers from 0 to 1.
 * @throws Error if the answer is something else
 */
export function likelihoodsIn(answer: Record<string, Tensor>, { output }: SegmentationInput): Float32Array {
  const [first] = Object.values(answer);
  const [height, width] = first?.dims.slice(-2) ?? [];
  if (first?.type !== 'float32' || height !== width || first.data.length !== height! * width!) {
    throw new Error(
      `Its first output is no square of 32-bit numbers (${first?.type} ${first?.dims.join(' × ')}).`,
    );
  }
  if (output === 'probability') return first.data;
  return first.data.map((value) => 1 / (1 + Math.exp(-value)));
}
