import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { LocalModels, type LocalModelsOptions } from '#libs/models/local-models.js';
import { MODELS_FOLDER } from './models-folder.ts';

export { MODELS_FOLDER };

const opened = new Set<LocalModels>();

/** `describe` for suites on the real models: skipped where they could not be fetched, except in CI. */
export const describeWithModels =
  ['migan', 'ocr-en'].every((id) => existsSync(`${MODELS_FOLDER}/${id}/LICENSE`)) || process.env.CI === 'true'
    ? describe
    : describe.skip;

/** The real models, or those of another folder. Their processes end when nothing uses them. */
export function testModels(
  directory = MODELS_FOLDER,
  options: Partial<LocalModelsOptions> = {},
): LocalModels {
  const models = new LocalModels({ directory, off: [], memoryMb: 700, ...options });
  opened.add(models);
  return models;
}

export async function closeTestModels(): Promise<void> {
  await Promise.all([...opened].map((models) => models.close()));
  opened.clear();
}
