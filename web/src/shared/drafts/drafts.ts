const PREFIX = 'draft:';
const OWNER = 'owner';

/** Form values that were not submitted, kept in session storage. Does nothing if storage is blocked. */
export const drafts = {
  read(form: string): unknown {
    try {
      return JSON.parse(sessionStorage.getItem(PREFIX + form) ?? 'null');
    } catch {
      return null;
    }
  },
  write(form: string, values: unknown): void {
    try {
      sessionStorage.setItem(PREFIX + form, JSON.stringify(values));
    } catch {
      // Full or blocked storage: the text is lost on reload.
    }
  },
  /** Whether the drafts belong to this user, or have no owner. */
  belongTo(userId: string): boolean {
    const owner = this.read(OWNER);
    return owner === null || owner === userId;
  },
  setOwner(userId: string): void {
    this.write(OWNER, userId);
  },
  clearAll(): void {
    try {
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    } catch {
      // Blocked storage has nothing to clear.
    }
  },
};
