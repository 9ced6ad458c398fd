/** Every address of the client that is not a tool's own; a tool names its path in its folder. */
export const paths = {
  landing: '/',
  dashboard: '/ai',
  community: '/ai/community',
  tool: (segment: string) => `/ai/${segment}`,
} as const;
