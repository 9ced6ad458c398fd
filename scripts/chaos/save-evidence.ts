import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from './world.ts';

/** Writes the evidence and the output of the programs to a new folder. @returns its path */
export function saveEvidence(world: World, evidence: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), `pressroom-chaos-${world.name}-evidence-`));
  writeFileSync(join(folder, 'evidence.json'), JSON.stringify(evidence, plain, 1));
  mkdirSync(join(folder, 'logs'));
  for (const [name, text] of Object.entries(world.logs()))
    writeFileSync(join(folder, 'logs', `${name.replaceAll(' ', '-')}.log`), text);
  return folder;
}

const plain = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value;
