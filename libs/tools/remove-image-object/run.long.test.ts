import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AiProvider } from '#libs/ai/engine.js';
import { FILL } from '../../../test/provider/images.js';
import { providerOf } from '../../../test/provider/config.js';
import { startFakeProvider, type FakeProvider } from '../../../test/provider/server.js';
import { discMask, discOnBlue, inputFile, pixelsOf } from '../../../test/support/image-files.js';
import { MODEL_SIDE } from '#libs/local-engine/images/subject-mask.js';
import { closeTestModels, describeWithModels, testModels } from '../../../test/support/models.js';
import { recordRun } from '../../../test/support/run-context.js';
import { ONE_OBJECT_ONLY } from '#libs/contract/object-mask.js';
import { NO_OBJECT, objectInputSchema, removeImageObject } from './contract.js';
import { objectPrompt } from './prompt.js';
import { findObjects, NEEDS_MASK } from './find-objects.js';
import { removeImageObjectHandler } from './run.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

let fake: FakeProvider;
let provider: AiProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
  provider = providerOf(fake);
});
afterAll(() => fake.close());

const photo = (width = 600, height = 400) => discOnBlue(width, height).png().toBuffer();
const runOf = async (mask?: Buffer) =>
  recordRun({
    files: {
      image: inputFile(await photo(), 'harbour.png'),
      ...(mask && { mask: inputFile(mask, 'mask.png') }),
    },
  });

describe('an object removed by a provider', () => {
  it('by its mask: the rest of the picture keeps its pixels', async () => {
    const run = await runOf(await discMask(300, 200));
    const { result, creation } = await removeImageObjectHandler.withProvider(
      { object: '' },
      provider,
      run.context,
    );
    expect(removeImageObject.output.omit({ model: true }).parse(result)).toEqual(result);
    expect(result).toMatchObject({ width: 600, height: 400, engine: 'openai', notice: null });
    expect(run.stages).toEqual(['preparing', 'erasing', 'fitting', 'storing']);
    const [made, given] = [await pixelsOf(run.stored[0]?.bytes as Buffer), await pixelsOf(await photo())];
    expect(made.at(300, 200)).toEqual([FILL.r, FILL.g, FILL.b, 255]);
    expect(made.data.subarray(0, 600 * 4 * 70).equals(given.data.subarray(0, 600 * 4 * 70))).toBe(true);
    expect(creation).toMatchObject({ type: 'image', prompt: 'Painted area removed from harbour.png' });
    // The model may paint where the mask is transparent.
    const sent = fake.requests.at(-1)?.image;
    const mask = await pixelsOf(sent?.mask as Buffer);
    expect([mask.at(768, 512)[3], mask.at(10, 10)[3]]).toEqual([0, 255]);
  });

  it('by its name', async () => {
    const run = await runOf();
    const { result, creation } = await removeImageObjectHandler.withProvider(
      { object: 'boat' },
      provider,
      run.context,
    );
    expect(result.notice).toContain('anew');
    expect(creation?.prompt).toBe('boat removed from harbour.png');
    expect(fake.requests.at(-1)?.image).toMatchObject({ mask: null, size: '1536x1024' });
    expect(fake.requests.at(-1)?.image?.prompt).toContain('"boat"');
  });

  it('calls no provider for an empty mask', async () => {
    const before = fake.requests.length;
    const run = await runOf(await discMask(300, 200, 0));
    const running = removeImageObjectHandler.withProvider({ object: 'boat' }, provider, run.context);
    await expect(running).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(fake.requests.length).toBe(before);
  });

  it.each(['[[500]]', '[[400]]'])('%s is an engine error', async (marker) => {
    const running = removeImageObjectHandler.withProvider(
      { object: marker },
      provider,
      (await runOf()).context,
    );
    await expect(running).rejects.toMatchObject({ name: 'EngineError', retryable: marker === '[[500]]' });
  });
});

describe('an object removed offline', () => {
  it('by its mask, with a warning for a large one', async () => {
    const run = await runOf(await discMask(600, 400));
    const { result } = await removeImageObjectHandler.offline({ object: '' }, run.context);
    expect(run.stages).toEqual(['opening', 'decoding', 'filling', 'blending', 'encoding', 'storing']);
    expect(run.percents).toEqual([...run.percents].sort((a, b) => a - b));
    expect(result).toMatchObject({ engine: 'offline', width: 600, height: 400 });
    expect(result.notice).toContain('smears are visible');
    const [r = 0, , b = 0] = (await pixelsOf(run.stored[0]?.bytes as Buffer)).at(300, 200);
    expect(b).toBeGreaterThan(r);
  });

  it('small, without that warning', async () => {
    const run = await runOf(await discMask(600, 400, 0.04));
    const { result } = await removeImageObjectHandler.offline({ object: 'spot' }, run.context);
    expect(result.notice).not.toContain('smears');
  });

  it('is refused by its name alone, and says what to do', async () => {
    const running = removeImageObjectHandler.offline({ object: 'boat' }, (await runOf()).context);
    await expect(running).rejects.toMatchObject({ code: 'ENGINE_CANNOT', message: NEEDS_MASK });
  });
});

describe('by a name', () => {
  const cup = { name: 'cup', score: 0.8, box: { left: 0.3, top: 0.3, right: 0.6, bottom: 0.6 } };
  const dog = { ...cup, name: 'dog' };
  /** @param answers the detector's answers, one per picture */
  const find = async (object: string, answers: (typeof cup)[][], point?: { x: number; y: number }) => {
    let asked = 0;
    const run = () => Promise.resolve(answers[asked++] ?? []);
    const models = { run } as unknown as Parameters<typeof findObjects>[2];
    const found = findObjects(await photo(), { object, ...point }, models, new AbortController().signal);
    return { found: await found.catch((error: Error) => error.message), asked };
  };

  it('one detection is enough if it is found', async () => {
    expect(await find('cup', [[cup]])).toEqual({
      found: { named: [cup], chosen: [cup], others: [] },
      asked: 1,
    });
  });

  it('only missing objects are detected again', async () => {
    const { found, asked } = await find('cup', [[dog], [cup, { ...cup, name: 'vase' }]]);
    const inPicture = { name: 'cup', score: 0.8, box: expect.any(Object) };
    expect(found).toEqual({ named: [inPicture], chosen: [inPicture], others: [dog] });
    expect(asked).toBe(11);
  });

  it('an error for a missing object lists the detected ones', async () => {
    expect(
      await find('cup', [
        [dog],
        [
          { ...cup, score: 0.5 },
          { ...cup, name: 'vase' },
        ],
      ]),
    ).toEqual({
      found: expect.stringMatching(/^No “cup” was found in this picture\. I see a dog in it\./),
      asked: 11,
    });
  });

  it('an unknown name is detected once', async () => {
    expect(await find('lamp', [[dog]])).toEqual({ found: expect.stringMatching(/^No “lamp”/), asked: 1 });
  });

  it('an object at a point without one is detected again', async () => {
    const { found, asked } = await find(
      'cup',
      [[cup], [{ ...cup, box: { left: 0.7, top: 0.7, right: 0.8, bottom: 0.8 } }]],
      {
        x: 0.87,
        y: 0.87,
      },
    );
    expect(found).toMatchObject({ chosen: [{ box: { left: expect.closeTo(0.8) } }], others: [cup] });
    expect(asked).toBe(11);
  });
});

describe('without a name', () => {
  const seen = [
    { name: 'person', score: 0.9, box: { left: 0.1, top: 0.1, right: 0.6, bottom: 0.9 } },
    { name: 'chair', score: 0.8, box: { left: 0.5, top: 0.5, right: 0.7, bottom: 0.9 } },
  ];
  /** @param outlines of the boxes that are looked into, in their order: how likely each point is the object's */
  const find = async (x: number, y: number, outlines: number[] = []) => {
    let looks = 0;
    const run = async (id: string) =>
      id === 'coco-ssd'
        ? looks++ === 0
          ? seen
          : []
        : {
            out: {
              type: 'float32',
              dims: [1, 1, MODEL_SIDE, MODEL_SIDE],
              data: new Float32Array(MODEL_SIDE ** 2).fill(outlines.shift() ?? 0),
            },
          };
    const models = { run } as unknown as Parameters<typeof findObjects>[2];
    return findObjects(await photo(), { object: '', x, y }, models, new AbortController().signal);
  };

  it('the object at a point is found', async () => {
    expect(await find(0.2, 0.2)).toEqual({ named: [seen[0]], chosen: [seen[0]], others: [seen[1]] });
  });

  it('of two objects around a point, the one whose outline contains it is found', async () => {
    expect((await find(0.55, 0.7, [0.9])).chosen).toEqual([seen[1]]);
    expect((await find(0.55, 0.7, [0.1, 0.9])).chosen).toEqual([seen[0]]);
  });

  it('an error for an empty point lists the detected objects', async () => {
    await expect(find(0.95, 0.05)).rejects.toMatchObject({
      code: 'ENGINE_CANNOT',
      message:
        'Nothing is recognised at that place of the picture. I see a person and a chair in it. Choose another place, or paint over what you want to remove.',
    });
  });
});

describeWithModels('an object removed by models of this server', () => {
  afterEach(closeTestModels);

  it('is filled within the mask, and every other pixel keeps its value', async () => {
    const run = await runOf(await discMask(600, 400));
    const context = { ...run.context, models: testModels() };
    const outcome = await removeImageObjectHandler.offline({ object: '' }, context);
    expect(outcome.model).toBe('MI-GAN');
    const before = await pixelsOf((await context.file('image'))?.bytes as Buffer);
    const after = await pixelsOf(run.stored[0]?.bytes as Buffer);
    expect(after.at(3, 3)).toEqual(before.at(3, 3));
    const [r = 0, , b = 0] = after.at(300, 200);
    expect(b).toBeGreaterThan(r);
  });

  it('is refused for a missing name, with a list of the detected objects', async () => {
    const context = { ...(await runOf()).context, models: testModels() };
    await expect(removeImageObjectHandler.offline({ object: 'sofa' }, context)).rejects.toMatchObject({
      code: 'ENGINE_CANNOT',
      message: expect.stringMatching(/^No “sofa” was found in this picture\. I see .+ paint over/),
    });
  });
});

describe('the fields', () => {
  it.each(['red car', 'red\tcar', 'a b c'])('a name with a space is refused: %s', (object) => {
    expect(objectInputSchema.safeParse({ object }).error?.issues[0]?.message).toBe(ONE_OBJECT_ONLY);
  });

  it('a name is needed, or a mask', () => {
    expect(removeImageObject.check?.({ object: '' }, new Set(['image']))).toEqual({
      field: 'object',
      message: NO_OBJECT,
    });
    expect(removeImageObject.check?.({ object: '' }, new Set(['image', 'mask']))).toBeNull();
    expect(removeImageObject.check?.({ object: 'car' }, new Set(['image']))).toBeNull();
    expect(objectInputSchema.parse({})).toEqual({ object: '' });
    expect(objectInputSchema.parse({ object: ' car ' })).toEqual({ object: 'car' });
    expect(objectInputSchema.safeParse({ object: 'x'.repeat(61) }).success).toBe(false);
  });

  it('a name stays a name in the prompt', () => {
    expect(objectPrompt('car".Ignore', false)).toContain('"car.Ignore"');
  });
});
