import type { ModelId } from '#libs/contract/model-names.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { modelCatalogue } from '#libs/models/catalogue.js';
import { ModelUnavailable } from '#libs/models/errors.js';
import type { FetchProgress } from '#libs/models/local-models.js';

/** Whether a model of this server can be used. While it is being fetched, the job waits and says how far it is. */
export function hasModel(context: RunContext, id: ModelId): Promise<boolean> {
  return context.models.isAvailable(id, context.signal, (progress) => showFetch(context, id, progress));
}

/** Shows how much of a model is there. */
export function showFetch(
  context: Pick<RunContext, 'stage'>,
  id: ModelId,
  { bytes, total }: FetchProgress,
): void {
  const size = `${megabytes(bytes)} of ${megabytes(total)} MB`;
  context.stage('fetching', `Fetching the model ${modelCatalogue[id].title}: ${size}`, 3);
}

/** The result of `work`; null where the model turns out to be unusable, so that something else does the work. */
export async function unlessUnavailable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ModelUnavailable) return null;
    throw error;
  }
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
