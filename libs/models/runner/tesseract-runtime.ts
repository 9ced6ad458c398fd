import { basename, dirname } from 'node:path';
import { createWorker, OEM, PSM, type Block, type Worker } from 'tesseract.js';
import type { GreyPicture, ScannedPage, ScannedWord } from './messages.js';
import { evenLight, halve, pointBefore, pointBeforeTurn, skewOf, straighten, turn } from './scan-picture.js';

/** Milliseconds of CPU time for a page. A page of text takes two seconds. */
const MAX_CPU_MS = 30_000;
const WATCH_EVERY_MS = 200;
/** The least confidence for a page in the right orientation. */
const SURE = 70;
/** The least gain in confidence of the right orientation over another one. */
const MIN_GAIN = 10;
/** Words with a lower confidence are specks or drawings. */
const MIN_WORD_CONFIDENCE = 25;
/** The most words of a page, more than print can have. */
const MAX_WORDS = 5_000;
const MAX_CHARACTERS = 50_000;
/** A smaller skew in degrees is ignored. */
const MIN_SKEW = 0.15;

class PageTimeout extends Error {}

/** Loads Tesseract with the data of one language. @param file `eng.traineddata.gz` */
export function loadTesseract(file: string) {
  let worker: Promise<Worker> | null = null;
  const start = () =>
    createWorker(basename(file).replace(/\..*/, ''), OEM.LSTM_ONLY, {
      langPath: dirname(file),
      cacheMethod: 'none',
      errorHandler: () => undefined,
    }).then(async (started) => {
      await started.setParameters({
        tessedit_pageseg_mode: PSM.AUTO,
        user_defined_dpi: '300',
        debug_file: '/dev/null',
      });
      return started;
    });
  const recognize = async (picture: GreyPicture): Promise<Reading> => {
    const running = await (worker ??= start());
    const { data } = await running.recognize(toPgm(picture), {}, { text: false, blocks: true });
    return { picture, blocks: data.blocks ?? [], ...judge(data.blocks ?? []) };
  };
  return async (page: GreyPicture): Promise<ScannedPage | null> => {
    try {
      return await withinTime(() => readPage(page, recognize));
    } catch (error) {
      if (!(error instanceof PageTimeout)) throw error;
      await (await worker)?.terminate();
      worker = null;
      return null;
    }
  };
}

interface Reading {
  picture: GreyPicture;
  blocks: Block[];
  confidence: number;
  /** The number of letters in words with high confidence. */
  letters: number;
}

async function readPage(
  page: GreyPicture,
  recognize: (picture: GreyPicture) => Promise<Reading>,
): Promise<ScannedPage> {
  const even = evenLight(page);
  const skew = skewOf(even);
  const degrees = Math.abs(skew.degrees) < MIN_SKEW ? 0 : skew.degrees;
  const straight = straighten(even, degrees);
  const turns: [number, ...number[]] = skew.isSideways ? [1, 3, 0, 2] : [0, 2, 1, 3];
  const [likely, ...others] = turns;
  const first = await recognize(turn(straight, likely));
  if (first.confidence >= SURE) return toPage(first, likely, degrees, page);
  // A copy of half the size is enough to find the page's orientation.
  const small = halve(straight);
  let best = { quarters: likely, confidence: first.confidence + MIN_GAIN, letters: first.letters };
  for (const quarters of others) {
    const { confidence, letters } = await recognize(turn(small, quarters));
    if (confidence * letters > best.confidence * best.letters) best = { quarters, confidence, letters };
    if (best.quarters !== likely && best.confidence >= SURE) break;
  }
  if (best.quarters === likely) return toPage(first, likely, degrees, page);
  return toPage(await recognize(turn(straight, best.quarters)), best.quarters, degrees, page);
}

/** The mean confidence of a page's words, weighted by their letters. */
function judge(blocks: Block[]): { confidence: number; letters: number } {
  let [sum, letters, sure] = [0, 0, 0];
  for (const word of wordsOf(blocks)) {
    const count = word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    letters += count;
    sum += count * word.confidence;
    if (word.confidence >= SURE) sure += count;
  }
  return { confidence: letters === 0 ? 0 : sum / letters, letters: sure };
}

const linesOf = (block: Block) => block.paragraphs.flatMap(({ lines }) => lines);
const wordsOf = (blocks: Block[]) => blocks.flatMap(linesOf).flatMap(({ words }) => words);
const isWord = ({ text, confidence }: { text: string; confidence: number }) =>
  confidence >= MIN_WORD_CONFIDENCE && text.trim() !== '';

function toPage(reading: Reading, quarters: number, degrees: number, page: GreyPicture): ScannedPage {
  const { blocks, picture, confidence } = reading;
  const before = pointBefore(degrees, page.width, page.height);
  const corner = (x: number, y: number): [number, number] => {
    const [shareX, shareY] = pointBeforeTurn(quarters, x / picture.width, y / picture.height);
    const [pageX, pageY] = before(shareX * page.width, shareY * page.height);
    return [pageX / page.width, pageY / page.height];
  };
  const place = ({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }) => {
    // The box's middle line, so that the boxes of a slanted line do not grow.
    const [[ax, ay], [bx, by]] = [corner(x0, (y0 + y1) / 2), corner(x1, (y0 + y1) / 2)];
    const [[cx, cy], [dx, dy]] = [corner((x0 + x1) / 2, y0), corner((x0 + x1) / 2, y1)];
    return {
      left: share(Math.min(ax, bx, cx, dx)),
      top: share(Math.min(ay, by, cy, dy)),
      right: share(Math.max(ax, bx, cx, dx)),
      bottom: share(Math.max(ay, by, cy, dy)),
    };
  };
  const words: ScannedWord[] = [];
  const paragraphs: string[] = [];
  for (const paragraph of blocks.flatMap((block) => block.paragraphs)) {
    const lines = paragraph.lines.map(({ words: all }) => all.filter(isWord)).filter((all) => all.length > 0);
    for (const word of lines.flat()) {
      if (words.length < MAX_WORDS) words.push({ text: word.text, ...place(word.bbox) });
    }
    if (lines.length > 0) {
      paragraphs.push(lines.map((line) => line.map(({ text }) => text).join(' ')).join('\n'));
    }
  }
  return {
    text: paragraphs.join('\n\n').slice(0, MAX_CHARACTERS),
    words,
    confidence: Math.round(confidence),
  };
}

const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

/** The format PGM: https://netpbm.sourceforge.net/doc/pgm.html */
function toPgm({ data, width, height }: GreyPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]);
}

/** Limits the CPU time of `work`. @throws PageTimeout */
async function withinTime<T>(work: () => Promise<T>): Promise<T> {
  const started = process.cpuUsage();
  const late = Promise.withResolvers<never>();
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(started);
    if ((user + system) / 1_000 > MAX_CPU_MS) late.reject(new PageTimeout());
  }, WATCH_EVERY_MS);
  try {
    const working = work();
    working.catch(() => undefined);
    return await Promise.race([working, late.promise]);
  } finally {
    clearInterval(watch);
  }
}
