import { useState } from 'react';
import type { LucideIcon } from 'lucide-react';
import { ownAddress } from '../lib/own-address';

interface RowFaceProps {
  icon: LucideIcon;
  /** A small version of what the row stands for, where there is one; without it, or if it cannot be fetched, the icon. */
  imageUrl?: string | null;
}

/** What a row of a list is at a glance. Its words say the same. */
export function RowFace({ icon: Icon, imageUrl = null }: RowFaceProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const frame = 'size-11 shrink-0 rounded-control border border-line';
  if (imageUrl !== null && imageUrl !== broken)
    return (
      <img
        src={ownAddress(imageUrl)}
        alt=""
        width="44"
        height="44"
        loading="lazy"
        onError={() => setBroken(imageUrl)}
        className={`${frame} checker object-cover`}
      />
    );
  return (
    <span aria-hidden="true" className={`${frame} grid place-items-center bg-raised text-quiet`}>
      <Icon className="size-[1.125rem]" strokeWidth={1.75} />
    </span>
  );
}
