/** Every address of the client that is not a tool's own; a tool names its path in its folder. */
export const paths = {
  landing: '/',
  dashboard: '/ai',
  community: '/ai/community',
  terms: '/terms',
  privacy: '/privacy',
  /** Where the mail for a forgotten password leads; the server knows it too. */
  resetPassword: '/reset-password',
  tool: (segment: string) => `/ai/${segment}`,
} as const;

/** The places on the start page that the navigation leads to, by their anchors. */
export const landingSections = [
  { label: 'Features', anchor: 'AiTools' },
  { label: 'Pricing', anchor: 'Plan' },
] as const;
