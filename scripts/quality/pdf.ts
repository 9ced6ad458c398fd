import { measureLongPdf, measurePdf, type Share } from './pdf/measure.ts';

export async function report(): Promise<string[]> {
  // First, while this process has little else in memory.
  const long = await measureLongPdf();
  const quality = await measurePdf();
  return [
    `page quoted first            ${formatShare(quality.pageAt1)}`,
    `page among the three quoted  ${formatShare(quality.pageAt3)}`,
    `no answer, none given        ${formatShare(quality.refused)}`,
    `answer, but none given       ${formatShare(quality.refusedWrongly)}`,
    `page given to a model        ${formatShare(quality.pageInPrompt)}`,
    ...quality.misses.map((miss) => `- ${miss}`),
    `${long.pages} pages, ${long.megabytes.toFixed(1)} MB: read in ${seconds(long.readMs)}, indexed and searched in ${seconds(long.searchMs)}, at most ${Math.round(long.peakMb)} MB in use`,
  ];
}

const formatShare = ({ hits, of }: Share) => `${hits} of ${of} (${Math.round((hits / of) * 100)} %)`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
