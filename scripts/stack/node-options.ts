/**
 * Options of Node.js for the programs, as in the Dockerfile. With the default of 64 MB for young objects, which grows with the
 * machine's memory, unread answers of one user take the api 50 MB more.
 */
export const NODE_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=8'];
