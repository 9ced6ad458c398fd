import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { startModelServer } from '../../test/support/model-server.ts';
import { describeWithModels, MODELS_FOLDER } from '../../test/support/models.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { fetchModel } from './fetch-model.js';
import { LocalModels } from './local-models.js';
import { ModelFolder } from './model-folder.js';
import { readOwnSegmentation, segmentationToFetch } from './own-segmentation.js';

allowTimeForPrograms();

const never = new AbortController().signal;
const opened: LocalModels[] = [];
let directory: string;
const file = (name: string) => join(directory, 'harbour', name);
const describeModel = (description: object) =>
  writeFileSync(
    file('model.json'),
    JSON.stringify({ name: 'Harbour', input: { side: 320 }, ...description }),
  );

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'models-'));
  mkdirSync(join(directory, 'harbour'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((models) => models.close()));
  rmSync(directory, { recursive: true });
});

async function openModels(): Promise<LocalModels> {
  const ownSegmentation = await readOwnSegmentation(directory, 'harbour');
  const models = new LocalModels({ directory, off: [], memoryMb: 700, ownSegmentation });
  opened.push(models);
  return models;
}

describeWithModels('an operator’s segmentation model', () => {
  beforeEach(() => copyFileSync(join(MODELS_FOLDER, 'u2netp/u2netp.onnx'), file('model.onnx')));

  it('is the first that cuts out pictures, under its own name', async () => {
    describeModel({});
    const models = await openModels();
    await models.checkOwnModels();
    expect(models.cutOutModels).toMatchObject([{ id: 'u2net', title: 'Harbour' }, { id: 'u2netp' }]);
    expect(await models.isAvailable('u2net', never)).toBe(true);
  });

  it('is refused at start if it does not fit its description', async () => {
    describeModel({ input: { side: 256 }, output: 'x' });
    await expect(readOwnSegmentation(directory, 'harbour')).rejects.toThrow(
      /no description of a segmentation.*output/s,
    );
    writeFileSync(file('model.onnx'), 'no model');
    describeModel({});
    const broken = (await openModels()).checkOwnModels();
    await expect(broken).rejects.toBeInstanceOf(ConfigurationError);
    await expect(broken).rejects.toThrow(/Harbour in .*model.onnx cannot be used: .*docs\/models.md/s);
  });
});

it('is fetched from the address in its description, and used only with its hash', async () => {
  const server = await startModelServer();
  const bytes = Buffer.from(server.state.upstream);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const source = { url: `${server.address}/m.onnx`, bytes: bytes.length, sha256 };
  try {
    describeModel({ source });
    await expect(readOwnSegmentation(directory, 'harbour')).rejects.toThrow(
      /has no file .*model.onnx: fetch it with npm run models -- fetch harbour/,
    );
    const folder = new ModelFolder(directory);
    const fetchOwn = async () =>
      fetchModel('harbour', await segmentationToFetch(directory, 'harbour'), folder, { signal: never });
    await fetchOwn();
    expect(readFileSync(file('model.onnx')).equals(bytes)).toBe(true);
    describeModel({ source: { ...source, sha256: '0'.repeat(64) } });
    await expect(readOwnSegmentation(directory, 'harbour')).rejects.toThrow(/does not have the SHA-256/);
    await expect(fetchOwn()).rejects.toThrow(/its SHA-256 differs/);
    describeModel({});
    await expect(fetchOwn()).rejects.toThrow(/has no "source"/);
  } finally {
    await server.close();
  }
});
