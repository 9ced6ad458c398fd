/** The pretrained models that this server can run itself, by the id that configuration and commands use. */
export const modelIds = ['u2netp', 'u2net', 'coco-ssd', 'migan'] as const;
export type ModelId = (typeof modelIds)[number];

export const isModelId = (text: string): text is ModelId => (modelIds as readonly string[]).includes(text);
