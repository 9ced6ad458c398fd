import { useEffect, useEffectEvent, useState } from 'react';
import type { EditorView } from 'prosemirror-view';
import { isEnded } from '#libs/contract/jobs.js';
import { PASSAGE_MAX_CHARACTERS } from '#libs/tools/rewrite-text/contract.js';
import { useCancelJob, useRetryJob, useSubmitJob } from '../../runs/jobs/job-calls';
import { dismissedRuns } from '../../runs/state/dismissed-runs';
import { useJob, useJobStore } from '../../runs/state/runs-context';
import type { JobView } from '../../runs/state/job-store';
import { useAccounts } from '../../../shared/account/accounts';
import { actionNames, type RewriteChoice } from './actions';
import { suggestionDraft, type SuggestionDraft } from './suggestion-draft';
import { contextOf, findPassage, passageAt, passageBefore, passageMarkdown, type Passage } from './passage';
import {
  acceptSuggestion,
  closeSuggestion,
  openSuggestion,
  currentPassage,
  type PassageState,
} from './suggestion-plugin';

interface RewritingOptions {
  view: () => EditorView | undefined;
  creation: string;
  /** Called before a rewrite; the caller saves earlier changes as a separate version. */
  onBegin: () => void;
  /** @param version the label for the version that the rewrite creates */
  onAccepted: (version: string) => void;
}

interface Suggestion {
  choice: RewriteChoice;
  host: HTMLElement;
  passage: Passage;
  markdown: string;
  /** True if the suggestion was restored after a reload; then the panel doesn't take the focus. */
  isRestored: boolean;
}

export interface Rewriting {
  suggestion: Suggestion | null;
  passageState: PassageState;
  job: JobView | null;
  /** Error of the request that starts or retries the job; null if there is none. */
  problem: Error | null;
  begin: (choice: RewriteChoice) => void;
  /** Restores the stored suggestion after a reload, if there is one. */
  restore: () => void;
  /** Requests a new suggestion for the passage as it is now. */
  suggestAgain: () => void;
  retry: () => void;
  stop: () => void;
  accept: () => void;
  reject: () => void;
  /** Closes the panel. The job tray still has the job. */
  close: () => void;
}

/** Rewrites a passage of the edited text. At most one suggestion is open at a time. */
export function useRewriting({ view, creation, onBegin, onAccepted }: RewritingOptions): Rewriting {
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  const [passageState, setPassageState] = useState<PassageState>('same');
  const [jobId, setJobId] = useState<string | null>(null);
  const [tooLong, setTooLong] = useState<Error | null>(null);
  const submit = useSubmitJob('rewrite-text');
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const job = useJob(suggestion === null ? null : jobId);
  const jobs = useJobStore();
  const user = useAccounts().user?.id ?? '';
  const [draft] = useState(() => suggestionDraft(user, creation));

  const stop = () => {
    if (jobId !== null && job !== null && !isEnded(job.job.status)) cancel.mutate(jobId);
  };
  const close = () => {
    stop();
    if (suggestion !== null) draft.remove();
    const editor = view();
    if (editor) closeSuggestion(editor);
    setSuggestion(null);
    setJobId(null);
    submit.reset();
    cancel.reset();
    retry.reset();
  };
  const leave = useEffectEvent(() => {
    // Keep the draft of a finished suggestion, so that it is restored when the text is opened again.
    stop();
    if (suggestion !== null && job?.job.status !== 'succeeded') draft.remove();
  });
  useEffect(() => () => leave(), []);
  const settle = () => {
    if (jobId !== null) dismissedRuns.add(jobId);
    close();
  };

  const send = (choice: RewriteChoice, editor: EditorView, passage: Passage) => {
    const { doc } = editor.state;
    const markdown = passageMarkdown(doc, passage);
    const host = openSuggestion(editor, {
      passage,
      follows: choice.action === 'continue',
      onState: setPassageState,
    });
    setPassageState('same');
    setSuggestion({ choice, host, passage, markdown, isRestored: false });
    const isTooLong = markdown.length > PASSAGE_MAX_CHARACTERS;
    setTooLong(isTooLong ? new Error(TOO_LONG) : null);
    if (isTooLong) return;
    const input = { ...choice, text: markdown, ...contextOf(doc, passage), creation };
    submit.mutate({ input }, { onSuccess: ({ id }) => follow({ jobId: id, choice, passage, markdown }) });
  };
  const follow = (next: SuggestionDraft) => {
    setJobId(next.jobId);
    draft.write(next);
  };
  const restore = () => {
    const editor = view();
    const stored = draft.read();
    if (!editor || stored === null) return;
    const { doc } = editor.state;
    const found = findPassage(doc, stored.passage, stored.markdown);
    const end = Math.min(stored.passage.to, doc.content.size);
    const state = found === null ? 'deleted' : 'same';
    const passage = found ?? { ...stored.passage, from: end, to: end };
    const follows = stored.choice.action === 'continue';
    const host = openSuggestion(editor, { passage, follows, state, onState: setPassageState });
    setPassageState(state);
    setSuggestion({ ...stored, passage, host, isRestored: true });
    setJobId(stored.jobId);
    void jobs.refresh(stored.jobId).then((exists) => {
      if (exists) return;
      draft.remove();
      closeSuggestion(editor);
      setSuggestion(null);
    });
  };
  const begin = (choice: RewriteChoice) => {
    const editor = view();
    if (!editor) return;
    const passage = choice.action === 'continue' ? passageBefore(editor.state) : passageAt(editor.state);
    if (passage === null) return;
    close();
    onBegin();
    send(choice, editor, passage);
  };
  const suggestAgain = () => {
    const editor = view();
    if (!editor || suggestion === null) return;
    const passage = currentPassage(editor.state);
    close();
    if (passage !== null) send(suggestion.choice, editor, passage);
  };

  return {
    suggestion,
    passageState,
    job,
    problem: tooLong ?? submit.error ?? retry.error,
    begin,
    restore,
    suggestAgain,
    retry: () =>
      jobId !== null &&
      suggestion !== null &&
      retry.mutate(jobId, { onSuccess: ({ id }) => follow({ ...suggestion, jobId: id }) }),
    stop,
    accept: () => {
      const editor = view();
      if (!editor || suggestion === null || job?.job.status !== 'succeeded') return;
      if (!acceptSuggestion(editor, job.text)) return;
      onAccepted(actionNames[suggestion.choice.action].version);
      settle();
    },
    reject: () => {
      settle();
      view()?.focus();
    },
    close,
  };
}

const TOO_LONG = `Select a shorter passage, of at most ${PASSAGE_MAX_CHARACTERS.toLocaleString('en')} characters.`;
