import { runCli } from '../../scripts/cli/program.ts';

/** Runs an operator command in this process, with files to `output`. @returns its exit status and output */
export async function runCommand(
  words: string[],
  environment: Record<string, string>,
  output?: NodeJS.WritableStream,
) {
  let out = '';
  let errors = '';
  const status = await runCli(words, {
    environment,
    write: (text) => (out += text),
    writeError: (text) => (errors += text),
    ...(output && { output }),
  });
  return { status, out, errors };
}
