import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Creation } from '#libs/contract/creations.js';
import { useCreation } from './api/creation-pages';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';
import { SOURCE_PARAMETER } from '../../shared/paths';
import { useCreationFile } from './use-creation-file';

export interface Source {
  creation: Creation;
  /** Its picture as it is now. */
  file: File;
}

interface ChosenSource {
  /** Whether the address names a creation, even one that cannot be used. */
  named: boolean;
  /** Null until it is loaded, and where the address names none. */
  source: Source | null;
  loading: boolean;
  /** Why the creation cannot be used, or not yet. */
  problem: string | null;
  /** Takes the creation out of the address. */
  remove: () => void;
}

/** The image of a creation that a tool's address names as its input, so that it survives a reload. */
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
        ? 'This creation cannot be read any more. Choose an image.'
        : null;
  const loading = id !== null && source === null && refusal === null;
  const retries = loading && (creation.failureReason !== null || file.failureReason !== null);
  return {
    ...{ named: id !== null, source, loading, remove },
    problem: retries
      ? 'Your picture cannot be fetched just now. It is tried again by itself.'
      : id === null
        ? null
        : refusal,
  };
}
