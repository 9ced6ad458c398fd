/** The command to run npm: the npm that started this process, or otherwise `npm` from the PATH. */
export function npmCommand(): [string, ...string[]] {
  const self = process.env.npm_execpath;
  return self && /\.c?js$/.test(self) ? [process.execPath, self] : ['npm'];
}
