import { useState } from 'react';
import clsx from 'clsx';
import toast from 'react-hot-toast';
import { Check, Share2 } from 'lucide-react';
import { buttonClass } from './button';

interface ShareButtonProps {
  /** The public page. */
  url: string;
  /** What it shows. */
  title: string;
  /** For a button that is a sign alone, on a picture. */
  className?: string;
}

/** Hands a public page to the machine's own sharing where it has any, else copies its address. */
export function ShareButton({ url, title, className }: ShareButtonProps) {
  const [done, setDone] = useState(false);
  const share = async () => {
    try {
      if (typeof navigator.share === 'function') await navigator.share({ url, title });
      else {
        await navigator.clipboard.writeText(url);
        setDone(true);
        setTimeout(() => setDone(false), 2_000);
        toast.success('Link copied to clipboard!');
      }
    } catch (error) {
      // Whoever closes the sharing sheet has changed their mind.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast.error('Failed to copy');
    }
  };
  const Icon = done ? Check : Share2;
  return (
    <button
      type="button"
      aria-label={className === undefined ? undefined : 'Share'}
      title={className === undefined ? undefined : 'Share'}
      onClick={() => void share()}
      className={clsx(className ?? buttonClass('plain', 'small'))}
    >
      <Icon aria-hidden="true" className={className === undefined ? 'size-4' : 'size-5'} />
      {className === undefined && 'Share'}
    </button>
  );
}
