import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import '@tensorflow/tfjs-backend-cpu';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';
import { withoutOverlaps } from './boxes.js';
import cocoClasses from './coco-classes.json' with { type: 'json' };
import type { DetectedObject, RgbPicture } from './messages.js';

/** The lowest score of a detected object. */
const MIN_SCORE = 0.3;

interface Manifest {
  modelTopology: object;
  weightsManifest: { paths: string[]; weights: tf.io.WeightsManifestEntry[] }[];
}

/** Loads SSDLite MobileNet v2, trained on COCO. @param files model.json, and its weights in their order */
export async function loadCocoSsd([json, ...shards]: Buffer[]) {
  setWasmPaths(`${dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  await tf.setBackend('wasm');
  const { modelTopology, weightsManifest } = JSON.parse((json as Buffer).toString('utf8')) as Manifest;
  const weights = Buffer.concat(shards);
  const model = await loadGraphModel({
    load: () =>
      Promise.resolve({
        modelTopology,
        weightSpecs: weightsManifest.flatMap((group) => group.weights),
        weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength),
      }),
  });
  return async ({ data, width, height }: RgbPicture): Promise<DetectedObject[]> => {
    const picture = tf.tensor4d(Int32Array.from(data), [1, height, width, 3], 'int32');
    const [scores, boxes] = (await model.executeAsync(picture)) as [tf.Tensor, tf.Tensor];
    const found = readBoxes(await scores.data(), await boxes.data(), scores.shape[2] as number);
    tf.dispose([picture, scores, boxes]);
    return withoutOverlaps(found);
  };
}

/** Reads the boxes with their most likely class. */
function readBoxes(scores: ArrayLike<number>, boxes: ArrayLike<number>, classes: number): DetectedObject[] {
  const found: DetectedObject[] = [];
  for (let i = 0; i * classes < scores.length; i += 1) {
    let best = 0;
    for (let c = 1; c < classes; c += 1) {
      if ((scores[i * classes + c] as number) > (scores[i * classes + best] as number)) best = c;
    }
    const score = scores[i * classes + best] as number;
    // Some numbers of the model have no category, and so an empty name.
    const name = cocoClasses[best];
    if (score < MIN_SCORE || !name) continue;
    const [top, left, bottom, right] = [0, 1, 2, 3].map((k) =>
      Math.min(Math.max(boxes[i * 4 + k] as number, 0), 1),
    ) as [number, number, number, number];
    found.push({ name, score, box: { left, top, right, bottom } });
  }
  return found;
}
