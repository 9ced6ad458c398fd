/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Decodes an image file and applies its EXIF orientation. @throws Error with a message for the user */
export async function decodePicture(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch (cause) {
    throw new Error('This picture is damaged and cannot be read. Choose another one.', { cause });
  }
}
