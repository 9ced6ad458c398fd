import { unzlibSync, type AsyncUnzlibOptions, type FlateCallback } from 'fflate/browser';

export * from 'fflate/browser';

/**
 * Replaces fflate (alias in vite.config.ts). PDFKit reads PNG files with `unzlib`, whose worker from a
 * `blob:` URL our content security policy forbids.
 */
export function unzlib(
  data: Uint8Array,
  options: AsyncUnzlibOptions | FlateCallback,
  done?: FlateCallback,
): void {
  const callback = typeof options === 'function' ? options : done;
  callback?.(null, unzlibSync(data));
}
