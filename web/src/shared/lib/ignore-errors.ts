/** What `work` returns; undefined if it throws, as storage does where the browser blocks it or it is full. */
export function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
