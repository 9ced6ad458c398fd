import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import type { EmbeddingSettings } from './runner/messages.js';
import { hashOf, sizeOf } from './model-folder.js';
import { unusable, type OwnModel } from './own-model.js';

/** An operator's embedding model, which takes the place of MiniLM. */
export interface OwnEmbedding extends OwnModel {
  /** Differs between models, files and settings: vectors of one key are comparable. */
  key: string;
  settings: EmbeddingSettings;
  /** The scores from which passages answer a question, or are shown as the closest ones; null: those of MiniLM. */
  scores: { answer: number; near: number } | null;
}

const FOLDER = 'embedding';
const prefix = z.string().max(100).default('');
const score = z.number().min(0).max(2);

const descriptionSchema = z.strictObject({
  name: z.string().trim().min(1).max(60),
  queryPrefix: prefix,
  passagePrefix: prefix,
  maxTokens: z.int().min(16).max(512).default(256),
  scores: z.strictObject({ answer: score, near: score }).nullable().default(null),
});

/**
 * Reads `embedding/model.json`, `model.onnx` and `tokenizer.json` in the models' folder.
 * @returns null if there is no `model.json`
 * @throws ConfigurationError if a file is missing or invalid
 */
export async function readOwnEmbedding(modelsFolder: string): Promise<OwnEmbedding | null> {
  const folder = join(modelsFolder, FOLDER);
  const path = (name: string) => join(folder, name);
  const text = await readFile(path('model.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const { name, scores, ...settings } = parseDescription(text, path('model.json'));
  const paths = [path('model.onnx'), path('tokenizer.json')];
  const files = [];
  let bytes = 0;
  for (const file of paths) {
    const size = await sizeOf(file);
    if (!size) throw unusable({ title: name, advice: ADVICE }, folder, `${file} is missing or empty.`);
    bytes += size;
    files.push({ path: file, sha256: await hashOf(file) });
  }
  const key = createHash('sha256').update(JSON.stringify([files.map(({ sha256 }) => sha256), settings]));
  return {
    title: name,
    key: `${name} ${key.digest('hex')}`,
    files,
    // The file is in memory twice while it is loaded.
    memoryMb: 180 + Math.ceil((2 * bytes) / 2 ** 20),
    advice: ADVICE,
    settings,
    scores,
  };
}

function parseDescription(text: string, file: string) {
  try {
    return descriptionSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : 'It is no JSON.';
    throw new ConfigurationError(`${file} is no description of an embedding model. ${why} ${ADVICE}`);
  }
}

const ADVICE = 'docs/models.md describes the files; remove the folder to use MiniLM.';
