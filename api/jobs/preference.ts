/** How long the caller wants to wait for the result, from the `Prefer` header (RFC 7240). */
export interface Preference {
  /** Maximum seconds to wait before responding. 0 means respond immediately. */
  waitSeconds: number;
  /** Value for `Preference-Applied`. Null if no preference was applied. */
  applied: string | null;
}

/** Parses the `Prefer` header: `respond-async`, or `wait=N` (seconds). Ignores other preferences. */
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
