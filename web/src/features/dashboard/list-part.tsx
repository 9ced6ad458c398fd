import { useState, type ReactNode } from 'react';
import { useInView } from 'react-intersection-observer';

/** Margin around the viewport within which list parts are rendered and more of the list is loaded. */
const NEAR = '1500px 0px';

interface ListPartProps {
  /** True if the part is rendered initially, before the browser reports its position. */
  isFirst: boolean;
  /** Height in pixels, used until the part has been rendered. */
  estimatedHeight: number;
  className?: string;
  children: ReactNode;
}

/**
 * A part of a long list. Far from the viewport, a placeholder of the same height replaces it, unless it has the focus or an
 * expanded row.
 */
export function ListPart({ isFirst, estimatedHeight, className, children }: ListPartProps) {
  const [isRendered, setIsRendered] = useState(isFirst);
  const [height, setHeight] = useState(estimatedHeight);
  const { ref } = useInView({
    rootMargin: NEAR,
    initialInView: isFirst,
    fallbackInView: true,
    onChange: (isNear, { target }) => {
      if (isNear) return setIsRendered(true);
      const isUsed =
        target.contains(document.activeElement) ||
        target.querySelector('[data-creation][aria-expanded="true"]') !== null;
      if (isUsed || target.childElementCount === 0) return;
      setHeight((target as HTMLElement).offsetHeight);
      setIsRendered(false);
    },
  });
  return (
    <div ref={ref} className={className} style={isRendered ? undefined : { height }}>
      {isRendered && children}
    </div>
  );
}

/** Loads more of a list when its end is near the viewport. Without IntersectionObserver, users click a button instead. */
export function LoadAhead({ waiting, load }: { waiting: boolean; load: () => unknown }) {
  const { ref } = useInView({
    rootMargin: NEAR,
    skip: waiting,
    fallbackInView: false,
    onChange: (isNear) => void (isNear && load()),
  });
  return <span ref={ref} aria-hidden="true" />;
}
