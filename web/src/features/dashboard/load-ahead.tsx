import { useInView } from 'react-intersection-observer';
import { NEAR } from './list-part';

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
