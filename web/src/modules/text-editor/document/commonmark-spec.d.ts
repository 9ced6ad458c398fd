declare module 'commonmark-spec' {
  export const tests: readonly { markdown: string; html: string }[];
}
