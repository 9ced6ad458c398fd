import { useEffect, useState } from 'react';
import type { Creation } from '#libs/contract/creations.js';
import { MaskDocument } from '../../../modules/image-editor/mask-editor/mask-document';
import { useMaskDraft } from '../../../modules/image-editor/mask-editor/use-mask-draft';
import { useMaskStep } from '../../../modules/image-editor/mask-editor/use-mask-step';

/** A larger picture has a smaller mask, which the server stretches. Safari has no larger canvas. */
const MASK_MAX_PIXELS = 16_000_000;

/**
 * What is to be removed from an image, kept over a reload. Null until the image's size is known.
 * @param source the creation that the image is the picture of
 */
export function useObjectMask(image: File | null, source: Creation | null): MaskDocument | null {
  const [made, setMade] = useState<{ image: File; mask: MaskDocument } | null>(null);
  useEffect(() => {
    if (image === null) return;
    const url = URL.createObjectURL(image);
    const picture = new Image();
    picture.addEventListener('load', () => {
      const { naturalWidth: width, naturalHeight: height } = picture;
      const scale = Math.min(1, Math.sqrt(MASK_MAX_PIXELS / (width * height)));
      const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
      setMade({ image, mask: new MaskDocument(size) });
    });
    picture.src = url;
    return () => {
      picture.src = '';
      URL.revokeObjectURL(url);
    };
  }, [image]);
  const mask = made !== null && made.image === image ? made.mask : null;
  useMaskDraft(image === null ? null : subjectOf(image, source), mask);
  useMaskStep(mask);
  return mask;
}

/** The same for the same picture, also after a reload. */
const subjectOf = ({ name, size, lastModified }: File, source: Creation | null) =>
  `remove-object:${source === null ? `${name} ${size} ${lastModified}` : `${source.id} ${source.content}`}`;
