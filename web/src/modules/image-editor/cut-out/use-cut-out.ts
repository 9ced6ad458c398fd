import { useEffect, useState } from 'react';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import { fetchFile } from '../../../shared/http/http';
import { MaskDocument } from '../mask-editor/mask-document';
import { runMaskWorker } from '../mask-editor/run-mask-worker';

export interface CutOut {
  /** Image file of the version that the editor opened. */
  file: Blob;
  mask: MaskDocument;
  /** Null if this device doesn't have the original, or if its size differs from the cut-out's. */
  original: Blob | null;
  colours: Blob | null;
}

interface Opened {
  source: CreationVersion;
  cutOut: CutOut;
}

/**
 * Loads a version of a cut-out for the editor.
 * @param original null if this device doesn't have it, undefined while it loads
 */
export function useCutOut(source: CreationVersion | undefined, original: Blob | null | undefined) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const mask = opened !== null && opened.source === source ? opened.cutOut.mask : null;

  useEffect(() => {
    if (source === undefined || original === undefined) return;
    let current = true;
    const open = async (): Promise<CutOut> => {
      const file = await fetchFile(source.content!);
      const read = await runMaskWorker({ kind: 'open-cut-out', cutOut: file, original });
      return {
        file,
        mask: new MaskDocument(read, read.pixels),
        original: read.colours === null ? null : original,
        colours: read.colours,
      };
    };
    open().then(
      (cutOut) =>
        current &&
        setOpened((before) =>
          before !== null && before.source === source
            ? { source, cutOut: { ...cutOut, mask: before.cutOut.mask } }
            : { source, cutOut },
        ),
      (error: unknown) => current && setProblem(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      current = false;
    };
  }, [source, original, attempt]);

  return {
    cutOut: mask === null ? null : (opened?.cutOut ?? null),
    problem,
    retry: () => {
      setProblem(null);
      setAttempt(attempt + 1);
    },
  };
}
