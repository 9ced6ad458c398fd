import type { AskPort } from '#libs/local-engine/threads/thread-pool.js';
import type { Tensor } from '#libs/models/runner/messages.js';

/** The request of an image thread to its process to run a model. */
export interface ModelRequest {
  use: 'segmentation' | 'inpainting';
  input: Record<string, Tensor>;
}

export type RunModel = (request: ModelRequest) => Promise<Record<string, Tensor>>;
export type ModelPort = AskPort<RunModel>;
