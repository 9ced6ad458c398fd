import type { Rule } from './rule.ts';

/* Rules for the answers to clients. */

/** Expected codes of answers of 500 and above. */
const EXPECTED: Record<number, string[]> = {
  502: ['PROVIDER_FAILED'],
  503: ['UNAVAILABLE', 'QUEUE_FULL', 'DISK_FULL'],
  504: ['JOB_TIMED_OUT'],
};

export const answersAreExpected: Rule = ({ users, operator }) =>
  [...users, ...(operator ? [operator] : [])].flatMap(({ name, http }) =>
    http.flatMap(({ method, path, status, code, retryAfter, body }) => {
      const call = `${method} ${path} of ${name}`;
      if (status === null || status < 400) return [];
      if (status >= 500 && !EXPECTED[status]?.includes(code ?? ''))
        return [`${call} answered ${status}: ${JSON.stringify(body)}`];
      if (status === 503 && !retryAfter) return [`${call} answered 503 without Retry-After`];
      const hasOwnFormat = path.startsWith('/api/auth/') || path.startsWith('/c/');
      return !code && !hasOwnFormat ? [`${call} answered ${status} without a code`] : [];
    }),
  );

export const clientsReportNoViolation: Rule = ({ users }) =>
  users.flatMap(({ name, violations }) => violations.map((violation) => `${name}: ${violation}`));
