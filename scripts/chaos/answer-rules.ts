import type { Rule } from './rule.ts';

/* What the client itself saw. */

/** Codes of answers of 500 and above that are meant. */
const MEANT: Record<number, string[]> = {
  502: ['PROVIDER_FAILED'],
  503: ['UNAVAILABLE', 'QUEUE_FULL', 'DISK_FULL'],
  504: ['JOB_TIMED_OUT'],
};

export const answersAreMeant: Rule = ({ people }) =>
  people.flatMap(({ name, http }) =>
    http.flatMap(({ method, path, status, code, retryAfter, body }) => {
      const call = `${method} ${path} of ${name}`;
      if (status === null || status < 400) return [];
      if (status >= 500 && !MEANT[status]?.includes(code ?? ''))
        return [`${call} answered ${status}: ${JSON.stringify(body)}`];
      if (status === 503 && !retryAfter) return [`${call} answered 503 without Retry-After`];
      const hasOwnForm = path.startsWith('/api/auth/') || path.startsWith('/c/');
      return !code && !hasOwnForm ? [`${call} answered ${status} without a code`] : [];
    }),
  );

export const clientsSawNothingBroken: Rule = ({ people }) =>
  people.flatMap(({ name, violations }) => violations.map((violation) => `${name}: ${violation}`));
