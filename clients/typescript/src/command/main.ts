#!/usr/bin/env node
import { JobFailedError, PressroomError } from '../errors.js';
import { Pressroom } from '../pressroom.js';
import { readArguments, UsageError } from './arguments.js';
import { batchTools, runBatch } from './batch.js';
import { runJob } from './job.js';

const HELP = `Usage: pressroom <tool> [pictures…] [--field value…] [--out path]

  pressroom remove-background *.jpg --out cut/
  pressroom generate-article --prompt "Salt marshes" --length 800 --out article.md
  pressroom resume-review --resume @resume.pdf
  pressroom generate-image --prompt "A lighthouse" --style "Realistic style" --out lighthouse.png

The tools and their fields are those of the API: see /api/docs of your server. A value that begins
with @ is a file.

  -o, --out path   Where results are saved; a folder for several pictures
  -f, --force      Make results again that exist
      --json       The whole result as JSON
      --url, --key The server and an API key; by default PRESSROOM_URL and PRESSROOM_KEY

Ends with 0 if all results were made, 1 if one was not, 2 for wrong arguments.
`;

const args = process.argv.slice(2);
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
const report = (line: string) => void process.stderr.write(`${line}\n`);

process.exitCode = await main().catch((error: unknown) => {
  if (stopping.signal.aborted) {
    report('Stopped. What had started was cancelled.');
    return 130;
  }
  if (error instanceof UsageError) {
    report(`${error.message} See pressroom --help.`);
    return 2;
  }
  if (error instanceof PressroomError || error instanceof JobFailedError) {
    report(error.message);
    return 1;
  }
  throw error;
});

async function main(): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return args.length === 0 ? 2 : 0;
  }
  const given = readArguments(args, process.env);
  const pressroom = new Pressroom(given);
  const context = { signal: stopping.signal, report };
  if (batchTools.includes(given.tool) && given.paths.length > 0)
    return (await runBatch(pressroom, given, context)) === 0 ? 0 : 1;
  if (given.paths.length > 0)
    throw new UsageError(`${given.tool} takes files as fields, such as --resume @${given.paths[0]}.`);
  const text = await runJob(pressroom, given, context);
  if (text !== null) process.stdout.write(`${text}\n`);
  return 0;
}
