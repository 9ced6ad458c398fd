import { useEffect, useState } from 'react';
import type { Creation } from '#libs/contract/creations.js';
import { MaskDocument } from '../../../modules/image-editor/mask-editor/mask-document';
import { useMaskDraft, useMaskRevision } from '../../../modules/image-editor/mask-editor/use-mask-draft';

/**
 * Maximum number of pixels of a mask, Safari's limit for a canvas. Larger images get a smaller mask, which the server scales
 * up.
 */
const MASK_MAX_PIXELS = 16_000_000;

/** Mask of the area to remove from an image, stored as a draft. Null until the image is loaded. */
export function useObjectMask(image: File | null, source: Creation | null): MaskDocument | null {
  const [loaded, setLoaded] = useState<{ image: File; mask: MaskDocument } | null>(null);
  useEffect(() => {
    if (image === null) return;
    const url = URL.createObjectURL(image);
    const picture = new Image();
    picture.addEventListener('load', () => {
      const { naturalWidth: width, naturalHeight: height } = picture;
      const scale = Math.min(1, Math.sqrt(MASK_MAX_PIXELS / (width * height)));
      const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
      setLoaded({ image, mask: new MaskDocument(size) });
    });
    picture.src = url;
    return () => {
      picture.src = '';
      URL.revokeObjectURL(url);
    };
  }, [image]);
  const mask = loaded !== null && loaded.image === image ? loaded.mask : null;
  useMaskDraft(image === null ? null : subjectOf(image, source), mask);
  useMaskRevision(mask);
  return mask;
}

/** ID of an image for its draft; the same after a reload. */
const subjectOf = ({ name, size, lastModified }: File, source: Creation | null) =>
  `remove-object:${source === null ? `${name} ${size} ${lastModified}` : `${source.id} ${source.content}`}`;
