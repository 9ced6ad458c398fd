import { toPreview, type Placement } from '#libs/local-engine/images/preview.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';

/** Publishes partial images of an AI service in order. If several arrive while one is encoded, only the newest is kept. */
export function publishPartials(
  context: Pick<RunContext, 'preview' | 'signal'>,
  canvas: Placement | null = null,
): (image: Buffer) => void {
  let newest: Buffer | null = null;
  let isEncoding = false;
  const encodeNewest = async () => {
    isEncoding = true;
    while (newest && !context.signal.aborted) {
      const image = newest;
      newest = null;
      const preview = await toPreview(image, canvas, context.signal).catch(() => null);
      if (preview) context.preview(preview);
    }
    isEncoding = false;
  };
  return (image) => {
    newest = image;
    if (!isEncoding) void encodeNewest();
  };
}
