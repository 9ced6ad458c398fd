import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import type { FetchedModel } from './fetch-model.js';
import { hashOf, sizeOf } from './model-folder.js';
import type { OwnModel } from './own-model.js';
import { uNetInput, type SegmentationInput } from './segmentation-input.js';

/** An operator's segmentation model, which cuts out pictures in place of U²-Net. */
export interface OwnSegmentation extends OwnModel {
  input: SegmentationInput;
}

/** What `model.json` says of a model: its name, where `npm run models -- fetch` finds its file, and how it reads a picture. */
export interface SegmentationDescription {
  name: string;
  licence: string | null;
  /** The file to fetch; null if the operator copies it. */
  source: { url: string; bytes: number; sha256: string } | null;
  memoryMb: number | null;
  input: SegmentationInput;
}

export const SEGMENTATION_FILE = 'model.onnx';
const colours = z.tuple([z.number(), z.number(), z.number()]);

const descriptionSchema = z.strictObject({
  name: z.string().trim().min(1).max(60),
  licence: z.string().trim().max(60).nullable().default(null),
  source: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }),
      bytes: z.int().positive(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
    })
    .nullable()
    .default(null),
  memoryMb: z.int().min(64).nullable().default(null),
  input: z.strictObject({
    side: z.int().min(64).max(2048),
    mean: colours.default(uNetInput.mean),
    deviation: colours
      .refine((values) => values.every((value) => value > 0), 'must be above 0')
      .default(uNetInput.deviation),
    scale: z.enum(['255', 'brightest']).default('255'),
    output: z.enum(['probability', 'logit']).default('probability'),
    closeUps: z.boolean().default(true),
  }),
});

/** @throws ConfigurationError if there is no valid description in the folder */
export async function readSegmentationDescription(folder: string): Promise<SegmentationDescription> {
  const file = join(folder, 'model.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new ConfigurationError(`There is no ${file}, which describes a segmentation model. ${ADVICE}`);
  });
  try {
    return descriptionSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : 'It is no JSON.';
    throw new ConfigurationError(`${file} is no description of a segmentation model. ${why} ${ADVICE}`);
  }
}

/**
 * What `fetchModel` needs for the model in a folder of `modelsFolder`.
 * @throws ConfigurationError if its description is invalid or names no address
 */
export async function segmentationToFetch(modelsFolder: string, id: string): Promise<FetchedModel> {
  const { name, source } = await readSegmentationDescription(join(modelsFolder, id));
  if (!source)
    throw new ConfigurationError(`${id}/model.json has no "source" to fetch ${name} from. ${ADVICE}`);
  const { url: upstream, ...file } = source;
  return { title: name, files: [{ name: SEGMENTATION_FILE, packed: '', upstream, ...file }] };
}

/**
 * Reads the model in a folder of `modelsFolder`.
 * @throws ConfigurationError if a file is missing or invalid
 */
export async function readOwnSegmentation(modelsFolder: string, id: string): Promise<OwnSegmentation> {
  const folder = join(modelsFolder, id);
  const { name, source, memoryMb, input } = await readSegmentationDescription(folder);
  const path = join(folder, SEGMENTATION_FILE);
  const bytes = await sizeOf(path);
  if (!bytes) {
    const how = source ? `fetch it with npm run models -- fetch ${id}, or copy it there.` : 'copy it there.';
    throw new ConfigurationError(`The segmentation model ${name} has no file ${path}: ${how} ${ADVICE}`);
  }
  const sha256 = await hashOf(path);
  if (source && source.sha256 !== sha256) {
    throw new ConfigurationError(`${path} does not have the SHA-256 that model.json gives. ${ADVICE}`);
  }
  return {
    title: name,
    files: [{ path, sha256 }],
    memoryMb: memoryMb ?? memoryOf(bytes, input),
    advice: ADVICE,
    input,
  };
}

const MB = 1024 * 1024;

/** The file is in memory twice while it is loaded; the layers grow with the picture. An estimate, for models like U²-Net. */
const memoryOf = (bytes: number, { side }: SegmentationInput): number =>
  Math.ceil(80 + (2 * bytes) / MB + 230 * (side / uNetInput.side) ** 2);

const ADVICE = 'docs/models.md describes the folder; without CUT_OUT_MODEL, U²-Net is used.';
