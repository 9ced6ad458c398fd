import { availableParallelism } from 'node:os';
import type { InferenceSession, Tensor as OnnxTensor } from 'onnxruntime-common';
import type { RunnerOptions, RuntimeTasks, Tensor } from './messages.js';

type Onnx = RuntimeTasks['onnx'];

interface OnnxLibrary {
  InferenceSession: typeof InferenceSession;
  Tensor: typeof OnnxTensor;
}

/** More threads are hardly faster with models of this size, and other jobs need them. */
const THREADS = Math.min(2, availableParallelism());

export const sessionOptions = (keepsMemory: boolean): InferenceSession.SessionOptions => ({
  intraOpNumThreads: THREADS,
  enableCpuMemArena: keepsMemory,
  enableMemPattern: keepsMemory,
  // Waiting threads sleep, because spinning takes CPU time from other jobs.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
  // Warnings of the optimizer are of no use to operators.
  logSeverityLevel: 3,
});

export async function loadOnnx(bytes: Buffer, { keepsMemory }: RunnerOptions) {
  const library = await loadOnnxLibrary();
  const session = await library.InferenceSession.create(bytes, sessionOptions(keepsMemory));
  return async (input: Onnx['input']): Promise<Onnx['output']> => {
    const tensors = Object.entries(input);
    const feeds = Object.fromEntries(
      tensors.map(([name, { type, data, dims }]) => [
        // A model with one input may give it any name.
        tensors.length === 1 ? (session.inputNames[0] as string) : name,
        new library.Tensor(type, data as never, dims),
      ]),
    );
    // The first output is the final one.
    const first = session.outputNames[0] as string;
    const results = await session.run(feeds, [first]);
    return Object.fromEntries(
      Object.entries(results).map(([name, { type, data, dims }]) => [
        name,
        { type, data, dims: [...dims] } as Tensor,
      ]),
    );
  };
}

/** The native runtime, or the slower WebAssembly one if there is no native one for this processor or C library. */
export async function loadOnnxLibrary(): Promise<OnnxLibrary> {
  try {
    return (await import('onnxruntime-node')).default;
  } catch {
    const web = await import('onnxruntime-web');
    web.env.wasm.numThreads = 1;
    return web;
  }
}
