/** Options of Node.js for all programs, as in the Dockerfile. Young objects may take 64 MB by default, and garbage as much. */
export const NODE_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=8'];

/**
 * Options for the program of this script. The heap of the api grows with the machine's memory by default: unread answers of
 * one user took it 80 MB more. Compose and Kubernetes give it the same limit.
 */
export const nodeOptionsOf = (script: string): string[] =>
  script === 'dist/api/main.js' ? [...NODE_OPTIONS, '--max-old-space-size=512'] : NODE_OPTIONS;
