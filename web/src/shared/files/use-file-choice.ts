import { useEffect, useRef, useState } from 'react';
import type { FileKind } from '#libs/contract/file-kinds.js';
import { useAccounts } from '../session/accounts';
import { fileDrafts } from '../drafts/file-drafts';
import { checkFile } from './check-file';

/** A form's file. */
export interface FileChoice {
  kind: FileKind;
  file: File | null;
  /** Why the last file was refused, by us or by the server. */
  problem: string | null;
  /** Takes a file, or says why not; null removes the one there is. */
  choose: (file: File | null) => void;
  /** Shows the server's refusal. */
  refuse: (message: string) => void;
}

/**
 * A file that outlives a reload.
 * @param field names it among the user's own
 */
export function useFileChoice(field: string, kind: FileKind): FileChoice {
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = useRef(false);
  // The next user at this browser does not get it.
  const draft = `${useAccounts().user?.id ?? ''}:${field}`;

  useEffect(() => {
    let current = true;
    void fileDrafts.read(draft).then((kept) => {
      if (current && kept !== null && !chosen.current) setFile(kept);
    });
    return () => {
      current = false;
    };
  }, [draft]);

  return {
    kind,
    file,
    problem,
    choose: (next) => {
      const refusal = next === null ? null : checkFile(kind, next);
      setProblem(refusal);
      if (refusal !== null) return;
      chosen.current = true;
      setFile(next);
      void fileDrafts.write(draft, next);
    },
    refuse: setProblem,
  };
}
