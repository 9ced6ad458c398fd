/** With this parameter a visitor who is signed out gets the form for a new account first. */
export const NEW_ACCOUNT = 'new-account';

/** Of a tool's address: the id of the creation that is its input. */
export const SOURCE_PARAMETER = 'creation';

/** Of a tool's address: the id of an earlier creation, which is shown beside the result. */
export const BESIDE_PARAMETER = 'beside';

export const paths = {
  landing: '/',
  dashboard: '/ai',
  newAccount: `/ai?${NEW_ACCOUNT}`,
  community: '/ai/community',
  terms: '/terms',
  privacy: '/privacy',
  /** The server puts the tags of the text in this page, and its address in links. */
  sharedText: '/t/:token',
  /** The server puts this address in emails. */
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
