import { useEffect, useEffectEvent, useState } from 'react';
import type { EditorView } from 'prosemirror-view';
import { isEnded } from '#libs/contract/jobs.js';
import { PASSAGE_MAX_CHARACTERS } from '#libs/tools/rewrite-text/contract.js';
import { useCancelJob } from '../../jobs/cancel-job';
import { useJob } from '../../jobs/jobs-context';
import { useRetryJob } from '../../jobs/retry-job';
import { useSubmitJob } from '../../jobs/submit-job';
import type { JobView } from '../../jobs/job-store';
import { actionNames, type RewriteChoice } from './actions';
import { contextOf, passageAt, passageBefore, passageMarkdown, type Passage } from './passage';
import {
  acceptSuggestion,
  closeSuggestion,
  openSuggestion,
  passageNow,
  type PassageState,
} from './suggestion-plugin';

interface RewritingOptions {
  view: () => EditorView | undefined;
  creation: string;
  /** Before a passage is rewritten, so that what was typed until then is a version by itself. */
  onBegin: () => void;
  /** After a suggestion took its place in the text. @param version what its version is called */
  onAccepted: (version: string) => void;
}

interface Suggestion {
  choice: RewriteChoice;
  host: HTMLElement;
  /** What was rewritten. */
  name: string;
  markdown: string;
}

export interface Rewriting {
  suggestion: Suggestion | null;
  passageState: PassageState;
  job: JobView | null;
  /** Why it could not be sent, cancelled or tried again. */
  problem: Error | null;
  begin: (choice: RewriteChoice) => void;
  /** The same for the passage as it is now, as a new job. */
  again: () => void;
  retry: () => void;
  stop: () => void;
  accept: () => void;
  reject: () => void;
}

/** Rewrites a part of the text that is being edited: one suggestion at a time. */
export function useRewriting({ view, creation, onBegin, onAccepted }: RewritingOptions): Rewriting {
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  const [passageState, setPassageState] = useState<PassageState>('same');
  const [jobId, setJobId] = useState<string | null>(null);
  const [tooLong, setTooLong] = useState<Error | null>(null);
  const submit = useSubmitJob('rewrite-text');
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const job = useJob(suggestion === null ? null : jobId);

  const stop = () => {
    if (jobId !== null && job !== null && !isEnded(job.job.status)) cancel.mutate(jobId);
  };
  const close = () => {
    stop();
    const editor = view();
    if (editor) closeSuggestion(editor);
    setSuggestion(null);
    setJobId(null);
    submit.reset();
    cancel.reset();
    retry.reset();
  };
  // Nobody would see what it comes to.
  const leave = useEffectEvent(close);
  useEffect(() => () => leave(), []);

  const send = (choice: RewriteChoice, editor: EditorView, passage: Passage) => {
    const { doc } = editor.state;
    const markdown = passageMarkdown(doc, passage);
    const host = openSuggestion(editor, {
      passage,
      follows: choice.action === 'continue',
      onState: setPassageState,
    });
    setPassageState('same');
    setSuggestion({ choice, host, name: passage.name, markdown });
    const isTooLong = markdown.length > PASSAGE_MAX_CHARACTERS;
    setTooLong(isTooLong ? new Error(TOO_LONG) : null);
    if (isTooLong) return;
    const input = { ...choice, text: markdown, ...contextOf(doc, passage), creation };
    submit.mutate({ input }, { onSuccess: ({ id }) => setJobId(id) });
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
  const again = () => {
    const editor = view();
    if (!editor || suggestion === null) return;
    const passage = passageNow(editor.state);
    close();
    if (passage !== null) send(suggestion.choice, editor, passage);
  };

  return {
    suggestion,
    passageState,
    job,
    problem: tooLong ?? submit.error ?? retry.error,
    begin,
    again,
    retry: () => jobId !== null && retry.mutate(jobId, { onSuccess: ({ id }) => setJobId(id) }),
    stop,
    accept: () => {
      const editor = view();
      if (!editor || suggestion === null || job?.job.status !== 'succeeded') return;
      if (!acceptSuggestion(editor, job.text)) return;
      onAccepted(actionNames[suggestion.choice.action].version);
      close();
    },
    reject: () => {
      close();
      view()?.focus();
    },
  };
}

const TOO_LONG = `A passage may have ${PASSAGE_MAX_CHARACTERS.toLocaleString('en')} characters at most: select a part of it.`;
