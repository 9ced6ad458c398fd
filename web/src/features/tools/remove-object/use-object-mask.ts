import { useEffect, useState } from 'react';
import { MaskDocument } from '../../../shared/images/mask-editor/mask-document';
import { useMaskDraft } from '../../../shared/images/mask-editor/mask-draft';
import { useMaskStep } from '../../../shared/images/mask-editor/use-mask-step';
import { useAccounts } from '../../../shared/session/accounts';

/** A larger picture has a smaller mask, which the server stretches. Safari has no larger canvas. */
const MASK_MAX_PIXELS = 16_000_000;

/** What is to be removed from an image, kept over a reload. Null until the image's size is known. */
export function useObjectMask(image: File | null): MaskDocument | null {
  const [made, setMade] = useState<{ image: File; mask: MaskDocument } | null>(null);
  const draft = `${useAccounts().user?.id ?? ''}:remove-object:mask`;
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
  useMaskDraft(draft, image === null ? '' : `${image.name} ${image.size} ${image.lastModified}`, mask);
  useMaskStep(mask);
  return mask;
}
