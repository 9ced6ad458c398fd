import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { NODE_OPTIONS, nodeOptionsOf } from '../../scripts/stack/node-options.ts';
import { inRoot } from '../../scripts/stack/root.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const API_HEAP = nodeOptionsOf('dist/api/main.js').at(-1);
const FILES = ['Dockerfile', 'docker-compose.yml'];

/** Tag and digest of an image; no digest where none was written yet. */
const IMAGE = /^[a-z][\w./-]*:(?!latest)[\w.-]+(@sha256:[0-9a-f]{64})?$/;

const publicImages = (folder: string) => {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const bases = [...read('Dockerfile').matchAll(/^ARG \w+_IMAGE=(.+)$/gm)].map(([, image]) => image!);
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { image?: string }>;
  };
  const images = Object.values(services).map(({ image }) => image);
  return [...bases, ...images.filter((image) => image !== undefined && !image.startsWith('$'))] as string[];
};

describe('public images', () => {
  it('have a tag, and a digest of the right form where one is written', () => {
    const images = publicImages(inRoot());
    expect(images.length).toBeGreaterThan(6);
    for (const image of images) expect(image).toMatch(IMAGE);
  });

  it('are named once in the Dockerfile, where a digest can be given to each build', () => {
    const from = [
      ...readFileSync(inRoot('Dockerfile'), 'utf8').matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm),
    ];
    const stages = ['packages', 'servers'];
    for (const [, image] of from)
      expect(stages.includes(image!) || /^\$\{\w+_IMAGE\}$/.test(image!)).toBe(true);
  });

  it('are pinned by Renovate, and for each release', () => {
    const renovate = JSON.parse(readFileSync(inRoot('renovate.json'), 'utf8')) as { extends: string[] };
    expect(renovate.extends).toContain('docker:pinDigests');
    const release = readFileSync(inRoot('.github/workflows/release.yml'), 'utf8');
    for (const name of ['NODE_IMAGE', 'DEBIAN_IMAGE'])
      expect(release).toContain(`${name}=\${{ steps.base.outputs.${name} }}`);
  });

  it('are pinned by hand with ops/pin-images.sh, also a second time', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pressroom-images-'));
    for (const path of [...FILES, 'ops/pin-images.sh']) cpSync(inRoot(path), join(folder, path));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/docker'), `#!/bin/sh\necho ${DIGEST}\n`);
    chmodSync(join(folder, 'bin/docker'), 0o755);
    const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
    const pin = () => execFileSync(join(folder, 'ops/pin-images.sh'), { env: { PATH }, encoding: 'utf8' });
    const before = publicImages(folder);
    pin();
    expect(publicImages(folder)).toEqual(before.map((image) => `${image.split('@')[0]}@${DIGEST}`));
    const once = FILES.map((file) => readFileSync(join(folder, file), 'utf8'));
    pin();
    expect(FILES.map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual(once);
    rmSync(folder, { recursive: true });
  });
});

it.each([
  ['Dockerfile', `NODE_OPTIONS="${NODE_OPTIONS.join(' ')}"`],
  ['Dockerfile', `CMD ["node", "${API_HEAP}", "dist/api/main.js"]`],
  ['docker-compose.yml', `node, ${API_HEAP}, dist/api/main.js]`],
  ['ops/kubernetes/base/api.yaml', `[node, ${API_HEAP}, dist/api/main.js]`],
])('%s gives Node.js the options that it has outside of a container', (file, options) => {
  expect(readFileSync(inRoot(file), 'utf8')).toContain(options);
});
