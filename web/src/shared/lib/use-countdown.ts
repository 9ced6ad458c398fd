import { useEffect, useState } from 'react';

interface Refusal {
  retryAfterSeconds: number | null;
}

/** Seconds until the server allows a retry after this error, counting down each second; 0 if a retry is allowed now. */
export function useCountdown(refusal: Refusal | null): number {
  const [countdown, setCountdown] = useState<{ refusal: Refusal; seconds: number } | null>(null);
  useEffect(() => {
    if (refusal?.retryAfterSeconds == null) return;
    const end = performance.now() + refusal.retryAfterSeconds * 1_000;
    const count = () =>
      setCountdown({ refusal, seconds: Math.max(0, Math.ceil((end - performance.now()) / 1_000)) });
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [refusal]);
  return countdown !== null && countdown.refusal === refusal
    ? countdown.seconds
    : (refusal?.retryAfterSeconds ?? 0);
}
