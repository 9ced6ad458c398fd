import { useEffect, useState } from 'react';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import { fileDrafts } from '../../../shared/drafts/file-drafts';
import { useAccounts } from '../../../shared/account/accounts';
import { listMaskDrafts } from '../mask-editor/mask-draft';

const prefixOf = (creation: string) => `cut-out:${creation}:`;

export const cutOutSubject = (creation: string, version: string) => `${prefixOf(creation)}${version}`;

/** The latest draft for another version than the opened one. Read once, when the editor opens. */
export function useOtherDraft(
  creation: string,
  open: string,
  versions: readonly CreationVersion[] = [],
): { version: CreationVersion | null; discard: () => void } {
  const user = useAccounts().user?.id ?? '';
  const [others, setOthers] = useState<readonly string[]>([]);
  useEffect(() => {
    let current = true;
    void listMaskDrafts(user, prefixOf(creation)).then((drafts) => {
      if (!current) return;
      const subjects = drafts.map(({ subject }) => subject);
      setOthers(subjects.filter((subject) => subject !== cutOutSubject(creation, open)));
    });
    return () => {
      current = false;
    };
  }, [user, creation, open]);
  const versionOf = (subject: string) => versions.find(({ id }) => cutOutSubject(creation, id) === subject);
  const subject = others.find((one) => versionOf(one) !== undefined);
  return {
    version: (subject !== undefined && versionOf(subject)) || null,
    discard: () => {
      setOthers((all) => all.filter((one) => one !== subject));
      void listMaskDrafts(user, prefixOf(creation)).then((drafts) =>
        Promise.all(
          drafts.filter((one) => one.subject === subject).map(({ name }) => fileDrafts.write(name, null)),
        ),
      );
    },
  };
}
