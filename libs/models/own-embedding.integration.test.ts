import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { describeWithModels, MODELS_FOLDER } from '../../test/support/models.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { LocalModels } from './local-models.js';
import { readOwnEmbedding } from './own-embedding.js';
import { miniLmGraph } from './runner/minilm-runtime.js';

allowTimeForPrograms();

const never = new AbortController().signal;
const miniLm = join(MODELS_FOLDER, 'minilm');
const opened: LocalModels[] = [];
const folders: string[] = [];
let directory: string;
const file = (name: string) => join(directory, 'embedding', name);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'models-'));
  folders.push(directory);
  mkdirSync(join(directory, 'embedding'));
});
afterAll(async () => {
  await Promise.all(opened.map((models) => models.close()));
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function openModels(): Promise<LocalModels> {
  const ownEmbedding = await readOwnEmbedding(directory);
  const models = new LocalModels({ directory, off: [], memoryMb: 700, ownEmbedding });
  opened.push(models);
  return models;
}

describeWithModels('an operator’s embedding model', () => {
  beforeEach(() => {
    writeFileSync(file('model.onnx'), miniLmGraph(readFileSync(join(miniLm, 'model.fp16.safetensors'))));
    copyFileSync(join(miniLm, 'tokenizer.json'), file('tokenizer.json'));
  });

  it('takes the place of MiniLM, with its own prefixes', async () => {
    writeFileSync(file('model.json'), JSON.stringify({ name: 'Harbour', queryPrefix: 'query: ' }));
    const models = await openModels();
    await models.checkOwnModels();
    expect(await models.isAvailable('minilm', never)).toBe(true);
    const embed = async (text: string, areQuestions = false) =>
      (await models.run('minilm', { texts: [text], areQuestions }, never)).vectors[0]!;
    const vector = await embed('The garden is open in summer.');
    // The values of MiniLM.
    for (const [at, value] of [0.00147, -0.01888, -0.02062].entries())
      expect(vector[at]).toBeCloseTo(value, 3);
    expect(await embed('open?', true)).toEqual(await embed('query: open?'));
    expect(models.ownEmbedding).toMatchObject({ title: 'Harbour', scores: null });
    const { key } = models.ownEmbedding!;
    writeFileSync(file('model.json'), JSON.stringify({ name: 'Harbour', queryPrefix: 'other: ' }));
    expect((await readOwnEmbedding(directory))!.key).not.toBe(key);
  });

  it('is refused at start if a file is wrong, with the reason', async () => {
    expect(await readOwnEmbedding(join(directory, 'none'))).toBeNull();
    writeFileSync(file('model.json'), '{"names":"x"}');
    await expect(readOwnEmbedding(directory)).rejects.toThrow(/model.json is no description.*\n?.*name/s);
    writeFileSync(file('model.json'), '{"name":"Harbour"}');
    writeFileSync(file('model.onnx'), 'no model');
    const broken = (await openModels()).checkOwnModels();
    await expect(broken).rejects.toBeInstanceOf(ConfigurationError);
    await expect(broken).rejects.toThrow(/Harbour in .*model.onnx cannot be used: .*docs\/models.md/s);
    rmSync(file('tokenizer.json'));
    await expect(readOwnEmbedding(directory)).rejects.toThrow(/tokenizer.json is missing or empty/);
  });
});
