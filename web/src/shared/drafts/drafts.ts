import { ignoreErrors } from '../lib/ignore-errors';

const PREFIX = 'draft:';
const OWNER = 'owner';

/** Stores unsubmitted form values in session storage. Does nothing if storage is blocked. */
export const drafts = {
  read: (form: string): unknown =>
    ignoreErrors(() => JSON.parse(sessionStorage.getItem(PREFIX + form) ?? 'null') as unknown) ?? null,
  write(form: string, values: unknown): void {
    ignoreErrors(() => sessionStorage.setItem(PREFIX + form, JSON.stringify(values)));
  },
  remove(form: string): void {
    ignoreErrors(() => sessionStorage.removeItem(PREFIX + form));
  },
  names: (prefix: string): string[] =>
    ignoreErrors(() =>
      Object.keys(sessionStorage).flatMap((key) =>
        key.startsWith(PREFIX + prefix) ? [key.slice(PREFIX.length)] : [],
      ),
    ) ?? [],
  /** True if the drafts belong to this user or have no owner. */
  belongTo(userId: string): boolean {
    const owner = this.read(OWNER);
    return owner === null || owner === userId;
  },
  setOwner(userId: string): void {
    this.write(OWNER, userId);
  },
  clearAll(): void {
    ignoreErrors(() => {
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    });
  },
};
