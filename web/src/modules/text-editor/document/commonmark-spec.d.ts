declare module 'commonmark-spec' {
  /** The examples of the specification. */
  export const tests: readonly { markdown: string; html: string }[];
}
