import { useImperativeHandle, type Ref } from 'react';
import toast from 'react-hot-toast';
import type { Job } from '#libs/contract/jobs.js';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import { QUESTION_MAX_CHARACTERS } from '#libs/tools/chat-with-pdf/contract.js';
import type { FileChoice } from '../../../modules/submission/files/use-file-choice';
import { QuestionField, useQuestionDraft } from '../../../modules/conversation/question-field';
import { useNeedsPremium } from '../../../modules/runs/jobs/premium-notice';
import { SubmissionProblem } from '../../../modules/runs/jobs/submission-problem';
import { useSubmission } from '../../../modules/submission/form/use-submission';

interface QuestionBoxProps {
  /** A chosen file, which is uploaded with the first question. */
  upload: FileChoice;
  fileName: string | null;
  history: readonly PdfChatMessage[];
  /** Language of the new file's scanned pages, if any. */
  language?: ScanLanguage;
  waiting: boolean;
  /** True if the file gets a conversation of its own. */
  startsNew?: boolean;
  /** Asks a suggested question. */
  ref?: Ref<{ ask: (question: string) => void }>;
  onAsked: (job: Job, question: string) => void;
}

export function QuestionBox(props: QuestionBoxProps) {
  const { upload, fileName, history, language, waiting, startsNew = false, ref, onAsked } = props;
  const [question, change] = useQuestionDraft('chat-with-pdf');
  const needsPremium = useNeedsPremium();
  const { send, retry, sending, problem, wait } = useSubmission('chat-with-pdf', {
    onSubmitted: (job, { input }) => {
      onAsked(job, input.message);
      if (input.message === question.trim()) change('');
    },
    onFieldError: { pdf: upload.reject },
  });
  const { file } = upload;
  const hasFile = file !== null || fileName !== null;

  const ask = (message: string) => {
    const chatHistory = history.map(({ role, content }) => ({ role, content }));
    if (file !== null)
      send({
        input: { message, chatHistory, language, ...(startsNew && { conversation: 'new' as const }) },
        files: { pdf: file },
      });
    else if (fileName !== null) send({ input: { message, chatHistory, file_name: fileName } });
    else toast.error('Please upload a PDF file first');
  };

  const isBusy = waiting || sending;
  useImperativeHandle(ref, () => ({ ask: (message) => !isBusy && ask(message) }));

  return (
    <>
      {problem !== null && <SubmissionProblem error={problem} onRetry={retry} />}
      <QuestionField
        question={question}
        maxLength={QUESTION_MAX_CHARACTERS}
        placeholder={hasFile ? 'Ask questions about the PDF...' : 'Upload a PDF to start chatting'}
        disabled={!hasFile || needsPremium}
        busy={isBusy}
        waiting={wait > 0}
        onChange={change}
        onAsk={ask}
      />
    </>
  );
}
