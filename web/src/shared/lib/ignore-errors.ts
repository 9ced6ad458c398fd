/** The result of `work`; undefined if it throws, as storage does when it is blocked or full. */
export function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
