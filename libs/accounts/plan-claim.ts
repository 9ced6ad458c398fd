/**
 * The slugs of the user's plans in a session token's `pla` claim: `premium` in `u:premium,o:team`. The letters before the
 * colon name the owner: the user (`u`), the organization (`o`), or both (`uo`, `ou`).
 * @returns null for a token without the claim: the instance has no billing
 */
export function readPlanClaim(claim: unknown): string[] | null {
  if (typeof claim !== 'string') return null;
  return claim.split(',').flatMap((entry) => {
    const [, scope = '', slug = ''] = /^\s*([a-z]+):(\S+)\s*$/.exec(entry) ?? [];
    return scope.includes('u') ? [slug] : [];
  });
}
