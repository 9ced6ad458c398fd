import { AppError } from '#libs/contract/errors.js';
import { maskPreviewInputSchema, type FoundObject, type MaskPreview } from '#libs/contract/object-mask.js';
import type { ModelId } from '#libs/contract/model-names.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { boxesOf } from '#libs/local-engine/images/object-names.js';
import { modelCatalogue } from '#libs/models/catalogue.js';
import type { LocalModels } from '#libs/models/local-models.js';
import type { DetectedObject } from '#libs/models/runner/messages.js';
import { unlessUnavailable } from '../shared/local-model.js';
import { finders, findObjects, NEEDS_MASK } from './find-objects.js';

/**
 * Finds the area that {@link removeImageObjectHandler} would remove.
 * @throws AppError ENGINE_CANNOT like the removal; UNAVAILABLE while a model is being downloaded: try again later
 */
export async function previewMask(
  stored: unknown,
  bytes: Buffer,
  models: Pick<LocalModels, 'run' | 'isAvailable'>,
  signal: AbortSignal,
): Promise<MaskPreview> {
  const input = maskPreviewInputSchema.parse(stored);
  for (const id of finders) await requireModel(id, models, signal);
  const choice = await findObjects(bytes, input, models, signal);
  const boxes = boxesOf(choice);
  const outlined = await unlessUnavailable(() =>
    onImageThread('outlineObjects', { bytes, boxes }, signal, undefined, ({ input: tensors }) =>
      models.run('u2netp', tensors, signal),
    ),
  );
  if (!outlined) throw new AppError('ENGINE_CANNOT', NEEDS_MASK);
  const { png, width, height } = outlined;
  const { named, chosen, others } = choice;
  return {
    mask: `data:image/png;base64,${Buffer.from(png).toString('base64')}`,
    width,
    height,
    objects: named.map((one) => ({ ...toFound(one), chosen: chosen.includes(one) })),
    others: others.filter((one) => !named.includes(one)).map(toFound),
  };
}

/** Throws at once if the model is being downloaded, because a request should not wait as long as a job. */
async function requireModel(id: ModelId, models: Pick<LocalModels, 'isAvailable'>, signal: AbortSignal) {
  const fetching = new AbortController();
  const isThere = await models.isAvailable(id, AbortSignal.any([signal, fetching.signal]), () =>
    fetching.abort(stillFetching(modelCatalogue[id].title)),
  );
  if (!isThere) throw new AppError('ENGINE_CANNOT', NEEDS_MASK);
}

const toFound = ({ name, score, box }: DetectedObject): FoundObject => ({
  name,
  score: Math.min(1, Math.round(score * 1000) / 1000),
  box,
});

const stillFetching = (title: string) =>
  new AppError(
    'UNAVAILABLE',
    `The model ${title} is still being downloaded. Try again in a minute, or paint over the object.`,
  );
