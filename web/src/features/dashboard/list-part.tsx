import { useEffect, useRef, useState, type ReactNode } from 'react';

/** How far from the screen a part is still rendered. */
const NEAR = '1500px 0px';
const isSupported = 'IntersectionObserver' in globalThis;

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
  const [isNear, setIsNear] = useState(isFirst || !isSupported);
  const [height, setHeight] = useState(estimatedHeight);
  useEffect(() => {
    const element = part.current;
    if (!isSupported || element === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) return setIsNear(true);
        const isUsed =
          element.contains(document.activeElement) ||
          element.querySelector('[data-creation][aria-expanded="true"]') !== null;
        if (isUsed || element.childElementCount === 0) return;
        setHeight(element.offsetHeight);
        setIsNear(false);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={part} className={className} style={isNear ? undefined : { height }}>
      {isNear && children}
    </div>
  );
}
