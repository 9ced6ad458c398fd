import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import sharp from 'sharp';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { AppError } from '#libs/contract/errors.js';
import { drawArtwork } from '#libs/local-engine/artwork/draw.js';
import { imageStyles, type ImageStyle } from '#libs/tools/generate-image/contract.js';
import { fillingPsnr, intersectionOverUnion } from './compare.ts';
import { objectScenes, subjectScenes } from './scenes.ts';

/** The quality of one result; `null` when the engine refused, as it may where colours do not separate the subject. */
export interface Figure {
  name: string;
  hard: boolean;
  value: number | null;
}

const never = new AbortController().signal;

/** Intersection over union of the background removal with the known mask, for each scene. */
export async function measureCutOuts(width = 1024): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const scene of await subjectScenes(width)) {
    const { name, hard, photo } = scene;
    const made = await onImageThread('removeBackground', { bytes: photo }, never).catch(refusal);
    figures.push({ name, hard, value: made && (await intersectionOverUnion(scene, made.image)) });
  }
  return figures;
}

/** PSNR in decibels of what object removal filled in, for each scene. */
export async function measureFillings(width = 1024): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const scene of await objectScenes(width)) {
    const { name, hard, photo, mask } = scene;
    const made = await onImageThread('removeObject', { bytes: photo, mask }, never);
    figures.push({ name, hard, value: await fillingPsnr(scene, made.image) });
  }
  return figures;
}

/** The cost of a task from JPEG to result, in a process of its own. */
export interface Cost {
  milliseconds: number;
  /** The peak memory of the process in megabytes. */
  peakMb: number;
}

/** Time and memory of both tasks on a noisy JPEG of the given width, three quarters as high. */
export async function measureCosts(width: number): Promise<{ background: Cost; object: Cost }> {
  const [subject] = await subjectScenes(width);
  const [, , objectScene] = await objectScenes(width);
  if (!subject || !objectScene) throw new Error('There are no scenes.');
  const folder = await mkdtemp(join(tmpdir(), 'pressroom-quality-'));
  try {
    const toFile = async (name: string, bytes: Buffer) => {
      await writeFile(join(folder, name), bytes);
      return join(folder, name);
    };
    const jpeg = (png: Buffer) => sharp(png).jpeg({ quality: 92 }).toBuffer();
    return {
      background: await costOf(await toFile('subject.jpg', await jpeg(subject.photo))),
      object: await costOf(
        await toFile('object.jpg', await jpeg(objectScene.photo)),
        await toFile('mask.png', objectScene.mask),
      ),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs `cost.ts` on files of a picture and, for the removal of an object, its mask. */
async function costOf(...files: string[]): Promise<Cost> {
  const program = fileURLToPath(new URL('./cost.ts', import.meta.url));
  const { stdout } = await execa(process.execPath, [program, ...files]);
  return JSON.parse(stdout) as Cost;
}

/** Milliseconds to draw and encode a picture of 1024 pixels in each style. */
export async function measureArtwork(): Promise<{ style: ImageStyle; milliseconds: number }[]> {
  const times: { style: ImageStyle; milliseconds: number }[] = [];
  for (const style of imageStyles) {
    const started = performance.now();
    const drawing = drawArtwork('a snowy mountain lake with a forest and flowers', style, '1024x1024');
    await sharp(Buffer.from(drawing)).flatten().jpeg({ quality: 92 }).toBuffer();
    times.push({ style, milliseconds: performance.now() - started });
  }
  return times;
}

function refusal(error: unknown): null {
  if (error instanceof AppError && error.code === 'ENGINE_CANNOT') return null;
  throw error;
}
