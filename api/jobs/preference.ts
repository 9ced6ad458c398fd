/** How long a caller wants to be held, as `Prefer` (RFC 7240) says it. */
export interface Preference {
  /** Seconds to hold the answer for at most. */
  waitSeconds: number;
  /** The preference that was followed, for `Preference-Applied`; null when none was given. */
  applied: string | null;
}

/**
 * Reads the `Prefer` header: `respond-async` asks for an answer at once, `wait=N` for one within N seconds. Unknown
 * preferences are ignored, as the RFC asks.
 */
export function readPreference(header: string | undefined, longestWaitSeconds: number): Preference {
  const preferences = (header ?? '').split(',').map((part) => part.split(';')[0]!.trim().toLowerCase());
  const wait = preferences
    .map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1])
    .find((seconds) => seconds !== undefined);
  if (wait !== undefined) {
    const waitSeconds = Math.min(Number(wait), longestWaitSeconds);
    return { waitSeconds, applied: `wait=${waitSeconds}` };
  }
  if (preferences.includes('respond-async')) return { waitSeconds: 0, applied: 'respond-async' };
  return { waitSeconds: longestWaitSeconds, applied: null };
}
