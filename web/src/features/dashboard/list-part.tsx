import { useState, type ReactNode } from 'react';
import { useInView } from 'react-intersection-observer';

/** The margin around the screen in which list parts are rendered and more of the list is loaded. */
const NEAR = '1500px 0px';

interface ListPartProps {
  /** Whether the part is rendered before the browser reports its position. */
  isFirst: boolean;
  /** In pixels, until the part was rendered. */
  estimatedHeight: number;
  className?: string;
  children: ReactNode;
}

/** A part of a long list. Far from the screen only its height remains, unless it has the focus or an open menu. */
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

/** Loads more of a list when its end is near the screen. Without IntersectionObserver, the button remains. */
export function LoadAhead({ waiting, load }: { waiting: boolean; load: () => unknown }) {
  const { ref } = useInView({
    rootMargin: NEAR,
    skip: waiting,
    fallbackInView: false,
    onChange: (isNear) => void (isNear && load()),
  });
  return <span ref={ref} aria-hidden="true" />;
}
