import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Creation } from '#libs/contract/creations.js';
import { useCreation } from './api/creation-pages';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { SOURCE_PARAMETER } from '../../shared/paths';
import { useCreationFile } from './use-creation-file';

export interface Source {
  creation: Creation;
  /** The current image of the creation. */
  file: File;
}

interface ChosenSource {
  /** True if the URL names a creation, also if that creation can't be used. */
  named: boolean;
  /** Null while the creation is loading, if it can't be used, or if the URL names none. */
  source: Source | null;
  loading: boolean;
  /** Message for the user if the creation can't be used or loaded; otherwise null. */
  problem: string | null;
  /** Removes the creation from the URL. */
  remove: () => void;
}

/** The creation that the tool page's URL names as input image. Because it is in the URL, it survives a reload. */
export function useSource(enabled = true): ChosenSource {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const id = enabled ? parameters.get(SOURCE_PARAMETER) : null;
  const creation = useCreation(id);
  const isImage = creation.data?.type === 'image';
  const file = useCreationFile(creation.data);
  const remove = useCallback(() => {
    if (id !== null) change({ [SOURCE_PARAMETER]: null });
  }, [id, change]);
  const source =
    creation.data !== undefined && file.data !== undefined
      ? { creation: creation.data, file: file.data }
      : null;
  const refusal =
    creation.data !== undefined && !isImage
      ? 'This creation is a text. Choose an image.'
      : creation.isError || file.isError
        ? 'This creation no longer exists. Choose an image.'
        : null;
  const loading = id !== null && source === null && refusal === null;
  const retries = loading && (creation.failureReason !== null || file.failureReason !== null);
  return {
    ...{ named: id !== null, source, loading, remove },
    problem: retries
      ? 'Your picture could not be loaded. Retrying automatically.'
      : id === null
        ? null
        : refusal,
  };
}
