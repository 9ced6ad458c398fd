import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

/** The paths of this project that a document names in code style, without those that hold a placeholder. */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:api|docs|libs|ops|scripts|test|web|worker)\/[^`\s]*)`/g)]
    .map(([, path]) => path!)
    .filter((path) => !/[<*{]/.test(path));

describe('The documents', () => {
  it.each(documents)('%s names files that exist', (document) => {
    const missing = pathsIn(readFileSync(document, 'utf8')).filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  });

  it('name files at all', () => {
    expect(pathsIn(readFileSync('docs/architecture.md', 'utf8')).length).toBeGreaterThan(10);
  });
});
