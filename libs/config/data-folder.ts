import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder, if there is none, with its missing parents. @throws the system's error if this user cannot write in it
 */
export function createDataFolder(path: string, mode = 0o700): void {
  createFolder(path, mode);
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** The `recursive` of mkdir loops for ever below /proc, where creating a folder in an existing one fails with ENOENT. */
function createFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  createFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another program that starts may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export const dataFolderProblem = (path: string, { message }: Error): string =>
  `DATA_DIR must hold a folder in which this user can write. ${path} cannot be used: ${message}.`;
