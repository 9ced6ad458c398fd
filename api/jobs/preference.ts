/** The caller's wish to wait, from the `Prefer` header (RFC 7240). */
export interface Preference {
  /** Maximum seconds to hold the answer. */
  waitSeconds: number;
  /** The applied preference, for `Preference-Applied`; null without one. */
  applied: string | null;
}

/** Reads the `Prefer` header: `respond-async`, or `wait=N` seconds. Unknown preferences are ignored. */
export function readPreference(header: string | undefined, maxWaitSeconds: number): Preference {
  const preferences = (header ?? '').split(',').map((part) => part.split(';')[0]!.trim().toLowerCase());
  const wait = preferences
    .map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1])
    .find((seconds) => seconds !== undefined);
  if (wait !== undefined) {
    const waitSeconds = Math.min(Number(wait), maxWaitSeconds);
    return { waitSeconds, applied: `wait=${waitSeconds}` };
  }
  if (preferences.includes('respond-async')) return { waitSeconds: 0, applied: 'respond-async' };
  return { waitSeconds: maxWaitSeconds, applied: null };
}
