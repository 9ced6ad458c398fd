import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Programs of the machine that some suites need, by the names they may have there, the best first: Chromium's headless
 * shell takes a third less of the processor than Chromium without a window.
 */
const programs = {
  redis: ['redis-server'],
  pgbouncer: ['pgbouncer'],
  haproxy: ['haproxy'],
  browser: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
} as const;

export type MachineProgram = keyof typeof programs;

/** The path of a program that some suites need, or null where the machine has none. */
export function findProgram(program: MachineProgram): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = programs[program].flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
