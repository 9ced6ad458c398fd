import type { ModelId } from '#libs/contract/model-names.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { modelCatalogue } from '#libs/models/catalogue.js';
import { ModelUnavailable } from '#libs/models/errors.js';
import type { FetchProgress } from '#libs/models/local-models.js';

/** True if the model can be used. While the model is being downloaded, waits and reports the progress. */
export function hasModel(context: RunContext, id: ModelId): Promise<boolean> {
  return context.models.isAvailable(id, context.signal, (progress) => reportFetch(context, id, progress));
}

/** A job's progress while a model is being downloaded. */
const FETCH_FROM_PERCENT = 1;
const FETCH_TO_PERCENT = 20;

export function reportFetch(
  context: Pick<RunContext, 'stage'>,
  id: ModelId,
  { bytes, total }: FetchProgress,
): void {
  const size = `${megabytes(bytes)} of ${megabytes(total)} MB`;
  const percent = FETCH_FROM_PERCENT + (FETCH_TO_PERCENT - FETCH_FROM_PERCENT) * (bytes / Math.max(1, total));
  context.stage('fetching', `Fetching the model ${modelCatalogue[id].title}: ${size}`, percent, {
    done: Math.min(bytes, total),
    total,
    unit: 'bytes',
  });
}

/** Returns null instead of throwing if the model is unavailable. The caller should use a fallback. */
export async function unlessUnavailable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ModelUnavailable) return null;
    throw error;
  }
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
