import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version in package.json. */
export const version = (
  JSON.parse(readFileSync(findPackageJSON('..', import.meta.url)!, 'utf8')) as { version: string }
).version;
