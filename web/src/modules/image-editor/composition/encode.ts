import { IMAGE_MAX_BYTES } from '#libs/contract/limits.js';
import type { OpenedCutOut } from './use-composer';
import { findSize } from './picture-sizes';
import { setDensity } from './density';
import { mediaTypes, type CutOutSettings } from './settings';

/** Composes and encodes an image at full size. @throws Error with a message for the user */
export async function encodePicture({ composer }: OpenedCutOut, settings: CutOutSettings): Promise<Blob> {
  const blob = await composer.ask<'encode'>({ kind: 'encode', settings });
  const density = findSize(settings.size)?.density;
  if (blob.type === mediaTypes[settings.format])
    return density === undefined ? blob : setDensity(blob, density);
  throw new Error('This browser does not support this format. Choose another one.');
}

/** Composes and encodes an image for upload. If the file exceeds the server's limit, encodes as WebP instead. */
export async function encodeForServer(opened: OpenedCutOut, settings: CutOutSettings): Promise<Blob> {
  const others = opened.canEncodeWebp ? [92, 80] : [];
  for (const next of [
    settings,
    ...others.map((quality) => ({ ...settings, format: 'webp' as const, quality })),
  ]) {
    const blob = await encodePicture(opened, next);
    if (blob.size <= IMAGE_MAX_BYTES) return blob;
  }
  throw new Error(
    `The image is larger than the ${IMAGE_MAX_BYTES / 1024 / 1024} MB that can be saved. Choose a smaller size, or download it.`,
  );
}
