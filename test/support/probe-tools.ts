import { defaultPrices } from '#libs/config/prices.js';
import sharp from 'sharp';
import { z } from 'zod';
import { tools } from '#libs/tools/catalogue.js';
import type { RunContext, ToolHandler } from '#libs/jobs/tool-handler.js';
import { defineTool } from '#libs/contract/define-tool.js';
import { imageCreation, sourceShape } from '#libs/contract/images.js';
import { handlers } from '#libs/tools/handlers.js';

/** Tools for tests: they return what arrived, or wait until the test lets them end. */

const common = {
  label: 'Probe',
  tagline: 'A tool of the tests.',
  description: 'A tool of the tests.',
  credits: 1,
  timeLimitSeconds: 30,
  successMessage: 'Done',
} as const;

const pdfProbe = defineTool({
  ...common,
  title: 'PDF Probe',
  order: 101,
  group: 'documents',
  example: { note: 'A note' },
  creation: { type: 'probe', label: 'Probe' },
  input: z.object({ note: z.string({ error: 'Enter a note.' }).trim().min(1, 'Enter a note.') }),
  files: { resume: { kind: 'pdf', required: true, missing: 'Choose a PDF.' } },
  output: z.object({ content: z.string(), engine: z.literal('offline') }),
  queue: 'pdf',
  plan: 'free',
  jobTitle: (_input, { resume }) => resume ?? '',
});

const imageProbe = defineTool({
  ...common,
  title: 'Image Probe',
  order: 102,
  group: 'images',
  example: {},
  creation: imageCreation,
  input: z.object({
    object: z.string().default(''),
    publish: z.union([z.boolean(), z.stringbool()]).default(false),
    count: z.int().min(1).max(4).default(1),
    ...sourceShape,
  }),
  copies: ({ count, ...input }) => Array.from({ length: count }, () => ({ ...input, count: 1 })),
  files: {
    image: { kind: 'image', required: false, missing: 'Choose an image.', orCreation: true },
    mask: { kind: 'mask', required: false, missing: 'Paint a mask.' },
  },
  check: (_input, files) =>
    files.has('mask') && !files.has('image') ? { field: 'mask', message: 'A mask needs its image.' } : null,
  output: z.object({ content: z.string(), engine: z.literal('offline') }),
  queue: 'image',
  plan: 'free',
  jobTitle: ({ object }) => object,
});

const premiumProbe = defineTool({ ...pdfProbe, title: 'Premium Probe', order: 103, plan: 'premium' });
const hastyProbe = defineTool({
  ...pdfProbe,
  title: 'Hasty Probe',
  order: 104,
  files: undefined,
  timeLimitSeconds: 1,
});

/** The probes' jobs wait for it before they end; it is open at first. `waiting` counts those that wait now. */
export const gate = { opened: Promise.resolve(), open: (): void => undefined, waiting: 0, aborted: 0 };

/** Makes every probe wait until `gate.open()`. */
export function closeGate(): void {
  gate.opened = new Promise((resolve) => (gate.open = resolve));
}

async function pass({ signal }: RunContext): Promise<void> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => {
    gate.aborted += 1;
    stopped.reject(signal.reason as Error);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  gate.waiting += 1;
  try {
    await Promise.race([gate.opened, stopped.promise]);
  } finally {
    gate.waiting -= 1;
    signal.removeEventListener('abort', stop);
  }
}

interface Probed {
  input: Record<string, unknown>;
  context: RunContext;
}

async function runPdfProbe({ input, context }: Probed) {
  const file = await context.file('resume');
  await pass(context);
  if (input.note === 'fail') throw new Error('failed on request');
  const content = JSON.stringify({
    name: file?.name,
    type: file?.type,
    sha256: file?.sha256,
    bytes: file?.bytes.length,
  });
  return {
    result: { content, engine: 'offline' },
    creation: { type: pdfProbe.creation.type, prompt: String(input.note), content },
  };
}

async function runImageProbe({ input, context }: Probed) {
  if (input.creation !== undefined) await pass(context);
  const sent = (await context.file('image')) ?? (await context.source());
  const bytes =
    sent?.bytes ??
    (await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
      .png()
      .toBuffer());
  const image = await context.store(await sharp(bytes).png().toBuffer(), 'image/png');
  const thumbnail = await context.store(
    await sharp(bytes).resize({ width: 32 }).webp().toBuffer(),
    'image/webp',
  );
  await pass(context);
  const { path: content } = image;
  const prompt = String(input.object);
  return {
    result: { content, engine: 'offline' },
    creation: {
      type: imageCreation.type,
      prompt,
      content,
      files: { image, thumbnail },
      published: input.publish === true,
    },
  };
}

const bothEngines = (run: (probed: Probed) => Promise<unknown>) =>
  ({
    withProvider: (input: Record<string, unknown>, _provider: unknown, context: RunContext) =>
      run({ input, context }),
    offline: (input: Record<string, unknown>, context: RunContext) => run({ input, context }),
  }) as unknown as ToolHandler<'generate-article'>;

/**
 * Adds the probes to both lists: `probe-pdf`, `probe-image`, the premium `probe-premium`, and `probe-hasty`, which may
 * run for one second.
 */
export function addProbeTools(): void {
  const probes = {
    'probe-pdf': pdfProbe,
    'probe-image': imageProbe,
    'probe-premium': premiumProbe,
    'probe-hasty': hastyProbe,
  };
  Object.assign(tools, probes);
  for (const [name, { credits }] of Object.entries(probes))
    Object.assign(defaultPrices.tools, { [name]: credits });
  Object.assign(handlers, {
    'probe-hasty': bothEngines(runPdfProbe),
    'probe-pdf': bothEngines(runPdfProbe),
    'probe-image': bothEngines(runImageProbe),
    'probe-premium': bothEngines(runPdfProbe),
  });
}
