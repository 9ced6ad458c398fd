import { useEffect, useRef, useState } from 'react';
import type { useClerk } from '@clerk/react';
import { Loading } from '../../../shared/ui/spinner';

export type Clerk = ReturnType<typeof useClerk>;

interface ClerkMountProps {
  /** Text shown until Clerk has rendered something. */
  loading: string;
  className?: string;
  mount: (element: HTMLDivElement) => void;
  unmount: (element: HTMLDivElement) => void;
}

/**
 * An element into which Clerk renders its UI. Clerk's own React components would need Clerk's provider around the whole app,
 * so that Clerk's code would delay every page.
 */
export function ClerkMount({ loading, className, mount, unmount }: ClerkMountProps) {
  const container = useRef<HTMLDivElement>(null);
  const [rendered, setRendered] = useState(false);
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const observer = new MutationObserver(() => setRendered(element.childElementCount > 0));
    observer.observe(element, { childList: true });
    mount(element);
    return () => {
      observer.disconnect();
      unmount(element);
    };
  }, [mount, unmount]);
  return (
    <div className={className}>
      {!rendered && <Loading label={loading} />}
      <div ref={container} />
    </div>
  );
}
