import clsx from 'clsx';

interface AvatarProps {
  name: string;
  imageUrl: string | null;
  className?: string;
}

/** A person's picture, or their initials. The name stands beside it, so it says nothing itself. */
export function Avatar({ name, imageUrl, className }: AvatarProps) {
  const frame = clsx('grid shrink-0 place-items-center overflow-hidden rounded-full', className);
  if (imageUrl !== null) return <img src={imageUrl} alt="" className={clsx(frame, 'object-cover')} />;
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
