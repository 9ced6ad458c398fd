import { scanLanguages, type ScanLanguage } from './scans.js';

/** Ids of the pretrained models that this server can run. Configuration and commands use them. */
const ids = ['u2netp', 'u2net', 'coco-ssd', 'migan', 'minilm'] as const;
export type ModelId = (typeof ids)[number] | `ocr-${ScanLanguage}`;

/** The models of the catalogue that cut out pictures. */
export const cutOutModelIds = ['u2netp', 'u2net'] as const satisfies ModelId[];
export type CutOutModelId = (typeof cutOutModelIds)[number];

export const modelIds: readonly ModelId[] = [
  ...ids,
  ...(Object.keys(scanLanguages) as ScanLanguage[]).map((language) => `ocr-${language}` as const),
];

export const isModelId = (text: string): text is ModelId => (modelIds as readonly string[]).includes(text);
