import { mkdir, writeFile } from 'node:fs/promises';
import { readModelsConfig } from '#libs/config/environment.js';
import { LocalModels } from '#libs/models/local-models.js';
import { dataFolderPath, readEnvFile } from '../stack/environment.ts';
import { inRoot } from '../stack/root.ts';
import { CommandError } from '../stack/terminal.ts';
import { measureArtwork } from './images/artwork.ts';
import { costTasks, measureCosts, type Cost } from './images/costs.ts';
import { cutOut, measureCutOut, summarize, type CutOutFigure } from './images/cut-outs.ts';
import { measureFillings } from './images/fillings.ts';
import { measureFalseFinds, measureName } from './images/named-objects.ts';
import { readPhotographs, type Photograph } from './images/photographs.ts';
import { measureRimColour } from './images/rims.ts';
import { drawSheet, type SheetRow } from './images/sheets.ts';

/** Megapixels, and width and height in pixels. */
const SIZES = [
  [1, [1152, 868]],
  [12, [4000, 3000]],
  [49, [8083, 6062]],
] as const;

export async function report(): Promise<string[]> {
  const { models, directory } = await openModels();
  try {
    const photographs = await readPhotographs();
    return [
      ...(await reportCutOuts(photographs, models)),
      await reportRims(photographs, models),
      ...(await reportNames(photographs, models)),
      ...(await reportFillings()),
      ...(await reportCosts(photographs, directory)),
      ...(await reportArtwork()),
    ];
  } finally {
    await models.close();
  }
}

/** Draws the contact sheets of docs/models.md. */
export async function drawSheets(): Promise<string[]> {
  const { models } = await openModels();
  try {
    const withMasks = (await readPhotographs()).filter(({ mask }) => mask !== null);
    await mkdir(inRoot('docs/images'), { recursive: true });
    for (const half of ['tuning', 'report'] as const) {
      const rows: SheetRow[] = [];
      for (const photograph of withMasks.filter((one) => one.half === half))
        rows.push({ photograph, cutOut: (await cutOut(photograph.jpeg, models))?.image ?? null });
      const sheet = await drawSheet(rows);
      await writeFile(inRoot(`docs/images/cut-outs-${half}.webp`), sheet);
    }
    return ['docs/images/cut-outs-tuning.webp, docs/images/cut-outs-report.webp'];
  } finally {
    await models.close();
  }
}

async function openModels() {
  readEnvFile();
  const { directory } = readModelsConfig({ ...process.env, DATA_DIR: dataFolderPath() });
  const models = new LocalModels({ directory, off: [], memoryMb: 1_300 });
  const { signal } = new AbortController();
  for (const id of ['u2netp', 'coco-ssd', 'migan'] as const) {
    if (await models.isAvailable(id, signal)) continue;
    await models.close();
    throw new CommandError('The models are missing: npm run models -- fetch');
  }
  return { models, directory };
}

async function reportCutOuts(photographs: Photograph[], models: LocalModels): Promise<string[]> {
  const figures: CutOutFigure[] = [];
  const byColour: CutOutFigure[] = [];
  for (const { mask, ...photograph } of photographs) {
    if (!mask) continue;
    figures.push(await measureCutOut({ ...photograph, mask }, models));
    if (photograph.half === 'report') byColour.push(await measureCutOut({ ...photograph, mask }, null));
  }
  const halfOf = (half: Photograph['half']) => figures.filter((one) => one.half === half);
  const { mean, worst } = summarize(byColour);
  const totals = [
    `  tuning: ${formatSummary(halfOf('tuning'))}`,
    `  report: ${formatSummary(halfOf('report'))}`,
    `  report, by colour alone: mean ${mean.toFixed(3)}, worst ${worst.toFixed(3)}`,
  ];
  return [
    'background: intersection over union with a mask corrected by hand, and mean error of opacity within 10 pixels of the outline;',
    'in brackets, those of the model alone',
    ...figures.map(
      ({ name, half, plain, result, fault, isDoubted }) =>
        `  ${result ? `${result.iou.toFixed(3)} (${plain?.iou.toFixed(3)})  ${result.rim.toFixed(3)} (${plain?.rim.toFixed(3)})` : 'refused'}  ${half.padEnd(6)}  ${name}${fault && `: ${fault}`}${isDoubted ? ' (to check)' : ''}`,
    ),
    ...totals,
  ];
}

function formatSummary(figures: CutOutFigure[]): string {
  const { mean, worst, rim, plainMean, plainRim, usable, count, flagged, flaggedUsable } = summarize(figures);
  return `mean ${mean.toFixed(3)} (${plainMean.toFixed(3)}), worst ${worst.toFixed(3)}, rim ${rim.toFixed(3)} (${plainRim.toFixed(3)}), usable as is ${usable} of ${count}, to check ${flagged} of the others and ${flaggedUsable} of these`;
}

async function reportRims(photographs: Photograph[], models: LocalModels): Promise<string> {
  const errors = [];
  for (const { mask, ...photograph } of photographs)
    if (mask) errors.push(await measureRimColour({ ...photograph, mask }, models));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return `colour of the rim on green: mean error ${mean.toFixed(4)}`;
}

async function reportNames(photographs: Photograph[], models: LocalModels): Promise<string[]> {
  const figures = [];
  for (const { shows, ...photograph } of photographs)
    if (shows) figures.push(await measureName({ ...photograph, shows }, models));
  const right = figures.filter(({ isRight }) => isRight).length;
  let [absent, firstPass] = [0, 0];
  const found: string[] = [];
  for (const photograph of photographs) {
    const names = await measureFalseFinds(photograph, models);
    absent += names.absent;
    firstPass += names.firstPass.length;
    found.push(...names.found.map((name) => `${name} in ${photograph.name}`));
  }
  return [
    `object by name: found correctly in ${right} of ${figures.length}; overlap of the box`,
    ...figures.map(
      ({ photograph, name, overlap, isRight }) =>
        `  ${overlap.toFixed(2)}  ${name} in ${photograph}${isRight ? '' : ': wrong'}`,
    ),
    `  names of absent objects: ${found.length} of ${absent} found (${firstPass} in the first pass): ${found.join(', ')}`,
  ];
}

async function reportFillings(): Promise<string[]> {
  const figures = await measureFillings();
  return [
    'object, filled without a model: PSNR against the picture without it',
    ...figures.map(
      ({ name, hard, decibels }) => `  ${decibels.toFixed(1)} dB  ${name}${hard ? ' (hard)' : ''}`,
    ),
  ];
}

async function reportCosts(photographs: Photograph[], directory: string): Promise<string[]> {
  const dog = photographs.find(({ name }) => name === 'dog') as Photograph;
  const lines: string[] = [];
  for (const [megapixels, [width, height]] of SIZES) {
    const costs = await measureCosts(dog.jpeg, [width, height], costTasks, directory);
    lines.push(
      `cost at ${megapixels} megapixels: ${costTasks.map((task, k) => `${task} ${formatCost(costs[k] as Cost)}`).join('; ')}`,
    );
  }
  const [four] = await measureCosts(dog.jpeg, [4000, 3000], ['four at once'], directory);
  return [
    ...lines,
    `four at once at 12 megapixels, two cut-outs, a hole and a name: ${formatCost(four as Cost)}`,
  ];
}

const formatCost = ({ seconds, cpuSeconds, peakMb }: Cost) =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU-s, ${Math.round(peakMb)} MB`;

async function reportArtwork(): Promise<string[]> {
  const times = await measureArtwork();
  return [
    `artwork, 1024 x 1024: ${times.map(({ style, seconds }) => `${style} ${seconds.toFixed(1)} s`).join(', ')}`,
  ];
}
