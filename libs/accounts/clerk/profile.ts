import { z } from 'zod';

export interface ClerkProfile {
  userId: string;
  name: string;
  email: string | null;
  imageUrl: string | null;
  /** `plan: "premium"` in the private metadata. */
  premium: boolean;
  /** `role: "admin"` in the public metadata. */
  admin: boolean;
  /** `free_usage` in the private metadata; null if it is missing or not a number. */
  freeUsage: number | null;
  /** Time at which Clerk changed the profile, in milliseconds since 1970. */
  at: number;
}

const metadata = z.record(z.string(), z.unknown()).nullish();

/** A user, as in Clerk's webhooks and Backend API. Validates only the fields that we use. */
export const clerkUserSchema = z.object({
  id: z.string().min(1),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  username: z.string().nullish(),
  image_url: z.string().nullish(),
  primary_email_address_id: z.string().nullish(),
  email_addresses: z.array(z.object({ id: z.string(), email_address: z.string() })).nullish(),
  public_metadata: metadata,
  private_metadata: metadata,
  updated_at: z.number().nullish(),
});
type ClerkUser = z.infer<typeof clerkUserSchema>;

const NAME_MAX_CHARACTERS = 200;

export function toProfile(user: ClerkUser, at: number): ClerkProfile {
  const email =
    (
      user.email_addresses?.find(({ id }) => id === user.primary_email_address_id) ??
      user.email_addresses?.[0]
    )?.email_address ?? null;
  const usage = user.private_metadata?.free_usage;
  return {
    userId: user.id,
    name: nameOf(user, email),
    email,
    imageUrl: user.image_url && /^https?:\/\//.test(user.image_url) ? user.image_url : null,
    premium: user.private_metadata?.plan === 'premium',
    admin: user.public_metadata?.role === 'admin',
    freeUsage: Number.isSafeInteger(usage) && Math.abs(usage as number) < 2 ** 31 ? (usage as number) : null,
    at,
  };
}

/** Falls back to the user name, then to the email, because a Clerk instance may be configured without names. */
function nameOf({ first_name, last_name, username }: ClerkUser, email: string | null): string {
  const full = [first_name, last_name].filter(Boolean).join(' ').trim();
  const name = full || username || email?.split('@')[0] || '';
  // PostgreSQL cannot store U+0000.
  return [...name.replaceAll('\u0000', '')].slice(0, NAME_MAX_CHARACTERS).join('');
}
