import 'reflect-metadata';
import { runCli } from './cli/program.js';

// A command such as `head` closes its input before it has read everything.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await runCli(process.argv.slice(2));
