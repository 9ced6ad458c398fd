/** The npm that runs this program, or the one on the path. */
export function npmCommand(): [string, ...string[]] {
  const self = process.env.npm_execpath;
  return self && /\.c?js$/.test(self) ? [process.execPath, self] : ['npm'];
}
