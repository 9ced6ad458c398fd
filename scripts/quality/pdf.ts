import { measureLongPdf, measurePdf, type Share } from './pdf/measure.ts';

/** How well the chat with a PDF finds pages, and what a long PDF takes. */
export async function report(): Promise<string[]> {
  // First, while this process has little else in memory.
  const long = await measureLongPdf();
  const quality = await measurePdf();
  return [
    `page quoted first            ${told(quality.pageAt1)}`,
    `page among the three quoted  ${told(quality.pageAt3)}`,
    `not there, and told so       ${told(quality.refused)}`,
    `there, and told it is not    ${told(quality.refusedWrongly)}`,
    `page given to a model        ${told(quality.pageInPrompt)}`,
    ...quality.misses.map((miss) => `- ${miss}`),
    `${long.pages} pages, ${long.megabytes.toFixed(1)} MB: read in ${seconds(long.readMs)}, indexed and searched in ${seconds(long.searchMs)}, at most ${Math.round(long.peakMb)} MB in use`,
  ];
}

const told = ({ hits, of }: Share) => `${hits} of ${of} (${Math.round((hits / of) * 100)} %)`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
