import type { InputFile, StoredFile } from '#libs/contract/files.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import type { Documents } from '#libs/documents/documents.js';

export interface RecordedRun {
  context: RunContext;
  /** Aborting it cancels the run. */
  controller: AbortController;
  stages: string[];
  /** Every percent that was reported, by a stage or within one. */
  percents: number[];
  /** The pieces of streamed text. */
  pieces: string[];
  /** All of them in one. */
  text: () => string;
  stored: { bytes: Buffer; type: string; file: StoredFile }[];
  previews: Uint8Array[];
}

export interface RecordedRunOptions {
  jobId?: string;
  /** The files of the request by their field. */
  files?: Record<string, InputFile>;
  /** The picture of the creation that the request names. */
  source?: InputFile | null;
  documents?: Documents;
  /** Default: no model is there. */
  models?: RunContext['models'];
  embedder?: RunContext['embedder'];
  /** Called for each piece, with the text so far. */
  onText?: (text: string) => void;
}

/** The ids of two jobs. */
export const JOBS = ['00000000-0000-4000-8000-000000000000', '9c4d2f6a-0000-4000-8000-000000000000'] as const;

/** Models none of which is fetched. */
const fail = () => Promise.reject(new Error('There is no model.'));
const noModels: RunContext['models'] = { isAvailable: async () => false, run: fail, cutOutModels: [] };
const noEmbedder: RunContext['embedder'] = { embed: fail, compare: fail, readInBackground: () => undefined };

/** A context for a handler's unit test: records what the run reports. */
export function recordRun({
  jobId = JOBS[0],
  files = {},
  source = null,
  documents,
  onText,
  models = noModels,
  embedder = noEmbedder,
}: RecordedRunOptions = {}): RecordedRun {
  const controller = new AbortController();
  const stages: string[] = [];
  const percents: number[] = [];
  const pieces: string[] = [];
  const stored: RecordedRun['stored'] = [];
  const previews: Uint8Array[] = [];
  const answers = new Map<string, unknown>();
  const text = () => pieces.join('');
  return {
    controller,
    stages,
    percents,
    pieces,
    stored,
    previews,
    text,
    context: {
      userId: 'user',
      jobId,
      signal: controller.signal,
      stage(stage, message, percent) {
        if (!message) throw new Error(`The stage ${stage} has no message for the user.`);
        stages.push(stage);
        percents.push(percent);
      },
      percent: (percent) => void percents.push(percent),
      text(piece) {
        pieces.push(piece);
        onText?.(text());
      },
      preview: (image) => void previews.push(image),
      file: async (field) => files[field] ?? null,
      source: async () => source,
      async store(bytes, type) {
        const file = { key: `stored/${stored.length}`, path: `/files/stored-${stored.length}` };
        stored.push({ bytes, type, file });
        return file;
      },
      async once<Answer>(key: string, make: () => Promise<Answer>): Promise<Answer> {
        if (!answers.has(key)) answers.set(key, await make());
        return answers.get(key) as Answer;
      },
      models,
      embedder,
      documents: documents ?? {
        read: () => Promise.reject(new Error('This run has no documents.')),
      },
    } as RunContext,
  };
}
