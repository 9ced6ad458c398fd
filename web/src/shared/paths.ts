/** With this parameter a visitor who is signed out gets the form for a new account first. */
export const NEW_ACCOUNT = 'new-account';

export const paths = {
  landing: '/',
  dashboard: '/ai',
  newAccount: `/ai?${NEW_ACCOUNT}`,
  community: '/ai/community',
  terms: '/terms',
  privacy: '/privacy',
  /** The server puts this address in emails. */
  resetPassword: '/reset-password',
  tool: (segment: string) => `/ai/${segment}`,
} as const;

/** The sections of the start page that the navigation links to. */
export const landingSections = [
  { label: 'Features', anchor: 'AiTools' },
  { label: 'Pricing', anchor: 'Plan' },
] as const;
