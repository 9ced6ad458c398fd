import { useState } from 'react';
import type { LucideIcon } from 'lucide-react';
import { sameOriginUrl } from '../lib/same-origin-url';

interface RowThumbnailProps {
  icon: LucideIcon;
  /** URL of the image. If it is missing or can't be loaded, the icon is shown. */
  imageUrl?: string | null;
}

/** Image or icon of a list row. Hidden from screen readers, since the row's text says the same. */
export function RowThumbnail({ icon: Icon, imageUrl = null }: RowThumbnailProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const frameClass = 'size-11 shrink-0 rounded-control border border-line';
  if (imageUrl !== null && imageUrl !== failedUrl)
    return (
      <img
        src={sameOriginUrl(imageUrl)}
        alt=""
        width="44"
        height="44"
        loading="lazy"
        onError={() => setFailedUrl(imageUrl)}
        className={`${frameClass} checker object-cover`}
      />
    );
  return (
    <span aria-hidden="true" className={`${frameClass} grid place-items-center bg-raised text-quiet`}>
      <Icon className="size-[1.125rem]" strokeWidth={1.75} />
    </span>
  );
}
