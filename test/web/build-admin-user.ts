import type { AdminUserDetails } from '#libs/contract/admin.js';

/** A user without jobs, as operators see them, unless `changes` say otherwise. */
export const buildAdminUser = (changes: Partial<AdminUserDetails> = {}): AdminUserDetails => ({
  profile: { id: 'ada', fullName: 'Ada', email: 'ada@example.com', imageUrl: null },
  plan: 'free',
  role: 'person',
  credits: { allowance: 30, used: 0, remaining: 30, renewsAt: null },
  storage: { used: 0, limit: 100 * 1024 * 1024 },
  subscription: null,
  planChanges: [],
  createdAt: '2026-11-01T00:00:00.000Z',
  suspendedAt: null,
  suspendedReason: null,
  creations: 0,
  published: 0,
  jobs: {},
  sessions: [],
  keys: [],
  audit: [],
  ...changes,
});
