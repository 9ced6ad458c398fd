import { useState } from 'react';
import clsx from 'clsx';
import { ownAddress } from '../lib/own-address';

interface AvatarProps {
  name: string;
  imageUrl: string | null;
  className?: string;
}

/** A user's picture, or their initials where there is none or it cannot be fetched. The name stands beside it, so it says nothing itself. */
export function Avatar({ name, imageUrl, className }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const frame = clsx('grid shrink-0 place-items-center overflow-hidden rounded-full', className);
  if (imageUrl !== null && imageUrl !== broken)
    return (
      <img
        src={ownAddress(imageUrl)}
        alt=""
        onError={() => setBroken(imageUrl)}
        className={clsx(frame, 'object-cover')}
      />
    );
  return (
    <span aria-hidden="true" className={clsx(frame, 'bg-ink font-semibold text-page')}>
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('');
}
