/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Decodes the image of a file, upright. @throws Error with a message for the user */
export async function decodePicture(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch (cause) {
    throw new Error('This picture is damaged and cannot be read. Choose another one.', { cause });
  }
}
