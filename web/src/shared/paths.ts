/** The query parameter that opens the sign-up form first. */
export const NEW_ACCOUNT = 'new-account';

/** The query parameter of a tool's page with the id of its input creation. */
export const SOURCE_PARAMETER = 'creation';

/** The query parameter of a tool's page with the id of an earlier creation to compare the result with. */
export const COMPARE_PARAMETER = 'beside';

export const paths = {
  landing: '/',
  dashboard: '/ai',
  newAccount: `/ai?${NEW_ACCOUNT}`,
  community: '/ai/community',
  terms: '/terms',
  privacy: '/privacy',
  /** The server adds the text's meta tags to this page, and uses this path in links. */
  sharedText: '/t/:token',
  /** The server uses this path in emails. */
  resetPassword: '/reset-password',
  batches: '/ai/batches',
  batch: (id: string) => `/ai/batches/${id}`,
  flows: '/ai/flows',
  flow: (id: string) => `/ai/flows/${id}`,
  tool: (segment: string) => `/ai/${segment}`,
  /** A tool's page with a creation as its input. */
  toolWithSource: (segment: string, creationId: string) => `/ai/${segment}?${SOURCE_PARAMETER}=${creationId}`,
  creation: (id: string) => `/ai/creations/${id}`,
} as const;

/** The sections of the start page that the navigation links to. */
export const landingSections = [
  { label: 'Features', anchor: 'AiTools' },
  { label: 'Pricing', anchor: 'Plan' },
] as const;
