import { readFile } from 'node:fs/promises';
import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { AiProvider } from '#libs/ai/engine.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { modelCatalogue } from '#libs/models/catalogue.js';
import { uNetInput } from '#libs/models/segmentation-input.js';
import { providerOf } from '../../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../../test/provider/server.js';
import { discOnBlue, inputFile, pixelsOf } from '../../../test/support/image-files.js';
import {
  closeTestModels,
  describeWithModels,
  MODELS_FOLDER,
  testModels,
} from '../../../test/support/models.js';
import { readPhotoMetadata } from '#libs/pictures/photo-metadata.js';
import { recordRun } from '../../../test/support/run-context.js';
import { removeImageBackground } from './contract.js';
import { removeImageBackgroundHandler } from './run.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';
import { until } from '../../../test/support/until.ts';

allowTimeForPrograms();

let fake: FakeProvider;
let provider: AiProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
  provider = providerOf(fake);
});
afterAll(() => fake.close());

const photo = (width = 600, height = 400) => discOnBlue(width, height).jpeg({ quality: 95 }).toBuffer();
const runOf = async (bytes?: Buffer) =>
  recordRun({ files: { image: inputFile(bytes ?? (await photo()), 'photo.jpg', 'image/jpeg') } });

describe('a background removed by a provider', () => {
  it('has the picture’s size and alpha, and is a creation', async () => {
    const run = await runOf();
    const { result, creation } = await removeImageBackgroundHandler.withProvider({}, provider, run.context);
    expect(removeImageBackground.output.omit({ model: true }).parse(result)).toEqual(result);
    expect(result).toMatchObject({ width: 600, height: 400, engine: 'openai', notice: null });
    expect(run.stages).toEqual(['preparing', 'erasing', 'fitting', 'storing']);
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b));
    expect(fake.requests.at(-1)?.image).toMatchObject({
      size: '1536x1024',
      background: 'transparent',
      mask: null,
    });
    await until('a preview', () => run.previews.length > 0);
    // The picture only, without the added frame.
    const preview = await sharp(run.previews[0]).metadata();
    expect(preview.width / preview.height).toBeCloseTo(600 / 400, 1);
    const [image, thumbnail] = run.stored;
    expect(image?.type).toBe('image/png');
    const { at } = await pixelsOf(image?.bytes as Buffer);
    expect([at(300, 200)[3], at(3, 3)[3]]).toEqual([255, 0]);
    expect((await sharp(thumbnail?.bytes).metadata()).width).toBe(480);
    expect(creation).toEqual({
      type: 'image',
      prompt: 'Background removed from photo.jpg',
      content: image?.file.path,
      files: { image: image?.file, thumbnail: thumbnail?.file },
    });
  });

  it('says if the model repainted the subject', async () => {
    fake.script({ redraw: true });
    const run = await runOf();
    const { result } = await removeImageBackgroundHandler.withProvider({}, provider, run.context);
    expect(result.notice).toContain('anew');
  });

  it('is a final failure when the answer has no transparency', async () => {
    fake.script({ opaque: true });
    const running = removeImageBackgroundHandler.withProvider({}, provider, (await runOf()).context);
    await expect(running).rejects.toMatchObject({ name: 'EngineError', retryable: false });
  });

  it('calls no provider if the picture cannot be read', async () => {
    const before = fake.requests.length;
    const run = await runOf((await photo()).subarray(0, 1500));
    const running = removeImageBackgroundHandler.withProvider({}, provider, run.context);
    await expect(running).rejects.toMatchObject({ code: 'UNREADABLE_IMAGE' });
    expect(fake.requests.length).toBe(before);
  });

  it('is not asked of a provider for a cut-out', async () => {
    const before = fake.requests.length;
    const cutOut = await sharp('node_modules/@jest/reporters/assets/jest_logo.png').png().toBuffer();
    const { result } = await removeImageBackgroundHandler.withProvider(
      {},
      provider,
      (await runOf(cutOut)).context,
    );
    expect(result).toMatchObject({
      engine: 'offline',
      width: 70,
      notice: expect.stringContaining('already has a transparent background'),
    });
    expect(fake.requests.length).toBe(before);
  });

  it('cancelled, ends the provider’s request', async () => {
    fake.script({ hang: 'headers' });
    const run = await runOf();
    const running = removeImageBackgroundHandler.withProvider({}, provider, run.context);
    const asked = setInterval(() => fake.open > 0 && run.controller.abort(new Error('cancelled')), 20);
    await expect(running).rejects.toThrow('cancelled');
    clearInterval(asked);
    await fake.requests.at(-1)?.over;
    expect(fake.requests.at(-1)?.abortedAt).not.toBeNull();
    expect(run.stored).toEqual([]);
  });
});

describe('a background removed without a service and without models', () => {
  it('reports real steps, and advises to check the edges', async () => {
    const run = await runOf();
    const { result } = await removeImageBackgroundHandler.offline({}, run.context);
    expect(run.stages).toEqual(['opening', 'decoding', 'segmenting', 'refining', 'encoding', 'storing']);
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b));
    expect(result).toMatchObject({ engine: 'offline', width: 600, height: 400 });
    expect(result.notice).toMatch(/not on this server, so this was cut out by its colours: check the edges/);
    expect((await sharp(run.stored[0]?.bytes).stats()).isOpaque).toBe(false);
  });

  it('keeps the content of the drawn frame', async () => {
    const run = await runOf();
    await removeImageBackgroundHandler.offline({ left: 0.5, top: 0, right: 1, bottom: 1 }, run.context);
    const { at } = await pixelsOf(run.stored[0]?.bytes as Buffer);
    expect([at(330, 200)[3], at(270, 200)[3]]).toEqual([255, 0]);
  });

  it('stores nothing if it is cancelled', async () => {
    const run = await runOf(await photo(2400, 1800));
    const stage: RunContext['stage'] = (...given) => {
      run.context.stage(...given);
      if (given[0] === 'segmenting') run.controller.abort(new Error('cancelled'));
    };
    const running = removeImageBackgroundHandler.offline({}, { ...run.context, stage });
    await expect(running).rejects.toThrow('cancelled');
    expect(run.stages.at(-1)).toBe('segmenting');
    expect(run.stored).toEqual([]);
  });
});

describeWithModels('a background removed by a model of this server', () => {
  afterEach(closeTestModels);
  const runWithModels = async (bytes: Buffer) =>
    recordRun({ files: { image: inputFile(bytes, 'photo.jpg', 'image/jpeg') }, models: testModels() });

  it('names the model, and keeps the colours of the subject', async () => {
    const run = await runWithModels(await photo());
    const outcome = await removeImageBackgroundHandler.offline({}, run.context);
    expect(outcome.model).toBe('U²-Net-p');
    expect(outcome.result).toMatchObject({ engine: 'offline', notice: null, width: 600, height: 400 });
    expect(run.stages).toEqual(['opening', 'decoding', 'segmenting', 'refining', 'encoding', 'storing']);
    const [original, cut] = [await pixelsOf(await photo()), await pixelsOf(run.stored[0]?.bytes as Buffer)];
    expect([cut.at(300, 200)[3], cut.at(3, 3)[3], cut.at(590, 390)[3]]).toEqual([255, 0, 0]);
    expect(cut.at(300, 200).slice(0, 3)).toEqual(original.at(300, 200).slice(0, 3));
  });

  it('names the operator’s model, and keeps date and copyright on wish', async () => {
    const details = { takenAt: '2024:05:01 10:30:00', artist: 'Mara Brandt', copyright: '(C) Mara Brandt' };
    const bytes = await sharp(await photo())
      .withExif({
        IFD0: { Artist: details.artist, Copyright: details.copyright },
        IFD2: { DateTimeOriginal: details.takenAt },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
      })
      .jpeg()
      .toBuffer();
    const { files } = modelCatalogue.u2netp;
    const ownSegmentation = {
      title: 'Harbour',
      files: files.map(({ name, sha256 }) => ({ path: `${MODELS_FOLDER}/u2netp/${name}`, sha256 })),
      memoryMb: 320,
      advice: '',
      input: { ...uNetInput, closeUps: false },
    };
    const run = recordRun({
      files: { image: inputFile(bytes, 'photo.jpg', 'image/jpeg') },
      models: testModels(MODELS_FOLDER, { ownSegmentation }),
    });
    const outcome = await removeImageBackgroundHandler.offline({ keepMetadata: true }, run.context);
    expect(outcome.model).toBe('Harbour');
    const stored = run.stored[0]?.bytes as Buffer;
    expect(await readPhotoMetadata(stored)).toEqual(details);
    expect(stored.includes('GPS')).toBe(false);
    expect((await pixelsOf(stored)).at(300, 200)[3]).toBe(255);
    const plain = await runWithModels(bytes);
    await removeImageBackgroundHandler.offline({}, plain.context);
    expect(await readPhotoMetadata(plain.stored[0]?.bytes as Buffer)).toEqual({});
  });

  it('keeps a page of text whole, and says so', async () => {
    const run = await runWithModels(await readFile('docs/images/dashboard.png'));
    const { result, model } = await removeImageBackgroundHandler.offline({}, run.context);
    expect([result.notice, model]).toEqual([
      expect.stringMatching(/^This looks like a drawing or a text/),
      undefined,
    ]);
  });

  it('warns of an edge to check where a part may be lost, and only there', async () => {
    const warningsOf = async (name: string) => {
      const run = await runWithModels(await readFile(`scripts/quality/images/photographs/${name}.jpg`));
      return (await removeImageBackgroundHandler.offline({}, run.context)).result.warnings;
    };
    expect(await warningsOf('dragon')).toEqual([
      { code: 'check-edge', message: expect.stringContaining('Check this edge'), area: expect.any(Object) },
    ]);
    expect(await warningsOf('flower')).toEqual([]);
  });

  it('is cut out in WebAssembly where the native runtime does not load', async () => {
    const { child, models } = await modelWithoutNativeRuntime();
    const bytes = await discOnBlue(400, 400, 0.45).jpeg().toBuffer();
    const run = recordRun({ files: { image: inputFile(bytes, 'photo.jpg', 'image/jpeg') }, models });
    // The model runs once if the subject fills the box, since WebAssembly is slow.
    const box = { left: 0.03, top: 0.03, right: 0.97, bottom: 0.97 };
    const { model } = await removeImageBackgroundHandler
      .offline(box, run.context)
      .finally(() => child.kill());
    expect(model).toBe('U²-Net-p');
    const { at } = await pixelsOf(run.stored[0]?.bytes as Buffer);
    expect([at(200, 200)[3], at(30, 30)[3], at(370, 370)[3]]).toEqual([255, 0, 0]);
  });

  it('refuses a picture without a subject, and says what to do', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const plain = { width: 400, height: 300, channels: 3, background: '#888', noise } as const;
    const data = await sharp({ create: plain }).png().toBuffer();
    const run = await runWithModels(data);
    await expect(removeImageBackgroundHandler.offline({}, run.context)).rejects.toMatchObject({
      code: 'ENGINE_CANNOT',
      message: expect.stringMatching(/^No clear subject was found in this picture\. Draw a box/),
    });
  });

  it('cuts out only the content of the drawn frame', async () => {
    const discs = [150, 450].map((x) => `<circle cx="${x}" cy="200" r="80" fill="#cf3a22"/>`).join('');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="100%" height="100%" fill="#7fa9d8"/>${discs}</svg>`;
    const run = await runWithModels(await sharp(Buffer.from(svg)).jpeg().toBuffer());
    // The subject does not fill the box, so the model runs again on a part.
    const box = { left: 0.55, top: 0.2, right: 0.95, bottom: 0.8 };
    await removeImageBackgroundHandler.offline(box, run.context);
    const { at } = await pixelsOf(run.stored[0]?.bytes as Buffer);
    expect([at(450, 200)[3], at(150, 200)[3], at(340, 200)[3]]).toEqual([255, 0, 0]);
  });

  it('fails as retryable if the process of the model is killed', async () => {
    const models = testModels();
    const run = recordRun({ files: { image: inputFile(await photo(), 'photo.jpg', 'image/jpeg') }, models });
    const running = removeImageBackgroundHandler.offline({}, run.context);
    const failed = expect(running).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    process.kill(await until('the model runs', () => models.pidOf('u2netp'), { every: 5 }), 'SIGKILL');
    await failed;
    expect(run.stored).toEqual([]);
  });
});

/** U²-Net-p in its own process, as on a system for which there is no native runtime. */
async function modelWithoutNativeRuntime() {
  const refuse = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name === 'onnxruntime-node') throw new Error('No native runtime for this system.');
      return next(name, context);
    } });`;
  const program = fileURLToPath(import.meta.resolve('#libs/models/runner/model-program.js'));
  const files = modelCatalogue.u2netp.files.map(({ name, sha256 }) => ({
    path: `${MODELS_FOLDER}/u2netp/${name}`,
    sha256,
  }));
  const child = fork(program, [JSON.stringify({ kind: 'onnx', files, keepsMemory: false })], {
    serialization: 'advanced',
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(refuse)}`],
  });
  const run = async (_: string, input: Serializable) => {
    child.send(input);
    const [answer] = (await once(child, 'message')) as [{ output?: unknown; error?: string }];
    if (!answer.output) throw new Error(answer.error);
    return answer.output;
  };
  return {
    child,
    models: {
      isAvailable: async (id: string) => id === 'u2netp',
      run,
      cutOutModels: [{ id: 'u2netp', title: 'U²-Net-p', input: uNetInput }],
    } as unknown as RunContext['models'],
  };
}

it.each([
  ['three edges', { left: 0.1, top: 0.1, right: 0.5 }, 'bottom'],
  ['no width', { left: 0.5, top: 0.1, right: 0.5, bottom: 0.9 }, 'right'],
])('a box of %s is refused', (_, box, field) => {
  expect(removeImageBackground.check?.(box, new Set(['image']))).toMatchObject({ field });
});

it('names its job after the file', () => {
  expect(removeImageBackground.jobTitle({}, { image: 'me.png' })).toBe('Background removed from me.png');
  expect(removeImageBackground.jobTitle({}, { image: 'x'.repeat(200) }).length).toBeLessThanOrEqual(80);
});
