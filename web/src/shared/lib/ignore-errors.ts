/** The result of `work`; undefined if it throws, as storage does when it is blocked or full. */
export function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The same for asynchronous work, such as a database that the browser refuses. @returns `otherwise` if it rejects */
export async function ignoreRejection<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}
