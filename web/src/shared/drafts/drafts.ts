const PREFIX = 'draft:';
const OWNER = 'owner';

/** What a user typed and has not sent, kept for this tab over a reload. Storage that is closed keeps nothing. */
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
      // Full or closed storage: the form still works, its text just does not outlive a reload.
    }
  },
  /** Whether what is kept here, if anything, is this user's. */
  areOf(userId: string): boolean {
    const owner = this.read(OWNER);
    return owner === null || owner === userId;
  },
  setOwner(userId: string): void {
    this.write(OWNER, userId);
  },
  forgetAll(): void {
    try {
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    } catch {
      // Closed storage holds nothing to forget.
    }
  },
};
