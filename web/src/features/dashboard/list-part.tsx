import { useEffect, useRef, useState, type ReactNode } from 'react';
import { canObserveNear, observeNear } from './observe-near';

interface ListPartProps {
  /** Whether it is rendered before the browser says where it is. */
  isFirst: boolean;
  /** In pixels, until it was rendered. */
  estimatedHeight: number;
  className?: string;
  children: ReactNode;
}

/** A part of a long list: only its height far from the screen, except where it has the focus or something open. */
export function ListPart({ isFirst, estimatedHeight, className, children }: ListPartProps) {
  const part = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(isFirst || !canObserveNear());
  const [height, setHeight] = useState(estimatedHeight);
  useEffect(() => {
    const element = part.current;
    if (element === null || !canObserveNear()) return;
    return observeNear(element, (near) => {
      if (near) return setIsNear(true);
      const isUsed =
        element.contains(document.activeElement) ||
        element.querySelector('[data-creation][aria-expanded="true"]') !== null;
      if (isUsed || element.childElementCount === 0) return;
      setHeight(element.offsetHeight);
      setIsNear(false);
    });
  }, []);
  return (
    <div ref={part} className={className} style={isNear ? undefined : { height }}>
      {isNear && children}
    </div>
  );
}
