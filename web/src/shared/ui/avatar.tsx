import { useState } from 'react';
import clsx from 'clsx';
import { sameOriginUrl } from '../lib/same-origin-url';

interface AvatarProps {
  name: string;
  imageUrl: string | null;
  className?: string;
}

/** A user's picture or initials. Hidden from screen readers, since the name is next to it. */
export function Avatar({ name, imageUrl, className }: AvatarProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const frameClass = clsx('grid shrink-0 place-items-center overflow-hidden rounded-full', className);
  if (imageUrl !== null && imageUrl !== failedUrl)
    return (
      <img
        src={sameOriginUrl(imageUrl)}
        alt=""
        onError={() => setFailedUrl(imageUrl)}
        className={clsx(frameClass, 'object-cover')}
      />
    );
  return (
    <span aria-hidden="true" className={clsx(frameClass, 'bg-ink font-semibold text-page')}>
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('');
}
