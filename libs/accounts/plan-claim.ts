/**
 * The plans that a session token's `pla` claim gives the user, by their slugs: `u:premium,o:team` gives `premium`.
 * The letters before the colon say whose plan it is: the user's, the organization's, or (`uo`, `ou`) both have it.
 * @returns null for a token without the claim, which says nothing: the instance has no billing
 */
export function readPlanClaim(claim: unknown): string[] | null {
  if (typeof claim !== 'string') return null;
  return claim.split(',').flatMap((entry) => {
    const [, scope = '', slug = ''] = /^\s*([a-z]+):(\S+)\s*$/.exec(entry) ?? [];
    return scope.includes('u') ? [slug] : [];
  });
}
