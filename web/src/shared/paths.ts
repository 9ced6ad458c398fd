/** Query parameter that makes the sign-in page show the sign-up form. */
export const NEW_ACCOUNT = 'new-account';

/** Query parameter of a tool's page: ID of the creation to use as input. */
export const SOURCE_PARAMETER = 'creation';

/** Query parameter of a tool's page: ID of an earlier creation to compare the result with. */
export const COMPARE_PARAMETER = 'beside';

/** Query parameter of a creation's page: opens the editor. */
export const EDIT_PARAMETER = 'edit';

/** Query parameter of the community: ID of the picture to report. The server uses it in links, so don't change it. */
export const REPORT_PARAMETER = 'report';

export const paths = {
  landing: '/',
  dashboard: '/ai',
  newAccount: `/ai?${NEW_ACCOUNT}`,
  community: '/ai/community',
  terms: '/terms',
  privacy: '/privacy',
  /** The server adds the text's meta tags to this page and uses this path in links, so don't change it. */
  sharedText: '/t/:token',
  /** The server uses this path in emails, so don't change it. */
  resetPassword: '/reset-password',
  /** The server sends users of apps here, so don't change it. */
  connect: '/connect',
  usage: '/ai/usage',
  apiKeys: '/ai/keys',
  /** The server uses this path in emails, so don't change it. */
  webhooks: '/ai/webhooks',
  webhook: (id: string) => `/ai/webhooks/${id}`,
  admin: '/admin',
  adminJobs: '/admin/jobs',
  adminJob: (id: string) => `/admin/jobs/${id}`,
  adminUsers: '/admin/users',
  adminUser: (id: string) => `/admin/users/${encodeURIComponent(id)}`,
  adminReports: '/admin/reports',
  adminCosts: '/admin/costs',
  adminAudit: '/admin/audit',
  batches: '/ai/batches',
  batch: (id: string) => `/ai/batches/${id}`,
  flows: '/ai/flows',
  flow: (id: string) => `/ai/flows/${id}`,
  notebooks: '/ai/notebooks',
  notebook: (id: string) => `/ai/notebooks/${id}`,
  tool: (segment: string) => `/ai/${segment}`,
  toolWithSource: (segment: string, creationId: string) => `/ai/${segment}?${SOURCE_PARAMETER}=${creationId}`,
  creation: (id: string) => `/ai/creations/${id}`,
  /** The page of a text with its editor open. */
  editedCreation: (id: string) => `/ai/creations/${id}?${EDIT_PARAMETER}`,
} as const;

/** Sections of the start page to which the navigation links. */
export const landingSections = [
  { label: 'Features', anchor: 'AiTools' },
  { label: 'Pricing', anchor: 'Plan' },
] as const;
