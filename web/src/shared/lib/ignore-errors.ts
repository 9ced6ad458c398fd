/** Runs `work` and returns its result, or undefined if it throws. For storage, which throws if it is blocked or full. */
export function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Runs asynchronous `work`, such as access to IndexedDB. Resolves to its result, or to `otherwise` if it rejects. */
export async function ignoreRejection<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}
