import { useState } from 'react';
import clsx from 'clsx';
import toast from 'react-hot-toast';
import { Check, Share2 } from 'lucide-react';
import { buttonClass } from './button';

interface ShareButtonProps {
  /** URL of the public page. */
  url: string;
  title: string;
  /** If given, the button has these CSS classes and shows only an icon. */
  className?: string;
}

/** Opens the device's share dialog. On devices without share dialog, copies the URL. */
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
      // AbortError means that the user closed the share dialog, so don't report it.
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
