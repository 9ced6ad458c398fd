import { LocalModels } from '#libs/models/local-models.js';
import { MODELS_FOLDER } from '../../test/support/models-folder.ts';
import { measureKinds, type KindsQuality } from './pdf/measure-kinds.ts';
import { measureReal, type RealQuality } from './pdf/measure-real.ts';
import { realDocuments } from './pdf/real-documents.ts';
import { measureLongPdf, measurePdf, type PdfQuality, type Share } from './pdf/measure.ts';

export async function report(): Promise<string[]> {
  // This runs first, while this process has little else in memory.
  const long = await measureLongPdf();
  const quality = await measurePdf();
  const models = new LocalModels({ directory: MODELS_FOLDER, off: [], memoryMb: 700 });
  const hasModel = await models.fetch('minilm');
  const own = hasModel ? await measurePdf(models) : null;
  const byMeaning = hasModel ? await measureReal(models) : null;
  const kinds = hasModel ? await measureKinds(models) : null;
  await models.close();
  const kindsByWords = await measureKinds(null);
  const byWords = await measureReal(null);
  return [
    ...(own ? ['own documents, by meaning:', ...ownLines(own)] : []),
    'own documents, by words, without the model:',
    ...ownLines(quality),
    'questions for subjects, tables, forms and printed pages, follow-ups, and in German:',
    ...(kinds ? kindsLines('by meaning', kinds) : []),
    ...kindsLines('by words, without the model', kindsByWords),
    'real documents, asked in other words (from installed npm packages):',
    ...realDocuments.map(({ name, file, licence }) => `  ${name}: ${file}; ${licence}`),
    ...(byMeaning
      ? [
          ...lines('by meaning, used for tuning', byMeaning.tuning),
          ...lines('by meaning', byMeaning.reported),
        ]
      : ['by meaning: the model could not be fetched']),
    ...lines('by words, without the model', byWords.reported),
    `${long.pages} pages, ${long.megabytes.toFixed(1)} MB: read in ${seconds(long.readMs)}, indexed and searched in ${seconds(long.searchMs)}, at most ${Math.round(long.peakMb)} MB in use`,
  ];
}

const kindsLines = (how: string, { tuning, reported }: Record<'tuning' | 'reported', KindsQuality>) => [
  `  ${how}, used for tuning: page quoted first ${formatShare(tuning.pageAt1)}; unanswerable, recognised ${formatShare(tuning.refused)}`,
  ...tuning.misses.map((miss) => `- ${miss}`),
  `  ${how}: page quoted first ${formatShare(reported.pageAt1)}; unanswerable, recognised ${formatShare(reported.refused)}`,
];

const ownLines = (quality: PdfQuality) => [
  `  page quoted first            ${formatShare(quality.pageAt1)}`,
  `  page among the three quoted  ${formatShare(quality.pageAt3)}`,
  `  unanswerable, recognised     ${formatShare(quality.refused)}`,
  `  answerable, but no answer    ${formatShare(quality.refusedWrongly)}`,
  `  page in a model's excerpts   ${formatShare(quality.pageInPrompt)}`,
  ...quality.misses.map((miss) => `- ${miss}`),
];

const lines = (what: string, { pageAt1, hardAt1, foundAt1, refused, misses }: RealQuality) => [
  `${what}: page quoted first ${formatShare(pageAt1)}; no word in common ${formatShare(hardAt1)}; of both, first as an answer or as the closest passage ${formatShare(foundAt1)}; unanswerable, recognised ${formatShare(refused)}`,
  ...misses.map((miss) => `- ${miss}`),
];

const formatShare = ({ hits, of }: Share) => `${hits} of ${of} (${Math.round((hits / of) * 100)} %)`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
