import { useEffect, useRef, useState } from 'react';
import type { useClerk } from '@clerk/react';
import { Loading } from '../../../shared/ui/spinner';

export type Clerk = ReturnType<typeof useClerk>;

interface ClerkPartProps {
  /** What is awaited, in words, until Clerk has drawn something. */
  loading: string;
  className?: string;
  mount: (place: HTMLDivElement) => void;
  unmount: (place: HTMLDivElement) => void;
}

/**
 * A place in our page that Clerk draws into. Its own React components would need its provider around the whole page,
 * and so Clerk's code in front of every page.
 */
export function ClerkPart({ loading, className, mount, unmount }: ClerkPartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    const node = place.current;
    if (node === null) return;
    const watcher = new MutationObserver(() => setDrawn(node.childElementCount > 0));
    watcher.observe(node, { childList: true });
    mount(node);
    return () => {
      watcher.disconnect();
      unmount(node);
    };
  }, [mount, unmount]);
  return (
    <div className={className}>
      {!drawn && <Loading what={loading} />}
      <div ref={place} />
    </div>
  );
}
