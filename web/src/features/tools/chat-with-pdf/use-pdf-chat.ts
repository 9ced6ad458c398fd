import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import toast from 'react-hot-toast';
import type { Job } from '#libs/contract/jobs.js';
import { chatWithPdfOutputSchema } from '#libs/tools/chat-with-pdf/contract.js';
import {
  useClearPdfChats,
  useDeletePdfChat,
  usePdfChats,
  useRenamePdfChat,
} from '../../../modules/creations/api/pdf-chats';
import type { PdfChatSummary } from '#libs/contract/pdf-chats.js';
import { useDelayedRemoval } from '../../../shared/ui/use-delayed-removal';
import { useScanLanguage } from '../../../modules/submission/files/scan-language-field';
import { useFileChoice } from '../../../modules/submission/files/use-file-choice';
import { queryKeys } from '../../../shared/http/query-keys';
import { usePendingQuestion } from '../../../modules/conversation/use-pending-question';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { chatCache } from './chat-cache';
import { useSamePdf } from './use-same-pdf';
import { useConversation } from './use-conversation';

const TOOL = 'chat-with-pdf';
/** Stands for all chats among the removed; no file has this name. */
const ALL_CHATS = '';

/** The conversation is optional because jobs in lists don't have it. */
const resultSchema = chatWithPdfOutputSchema
  .pick({ fileName: true, chatHistory: true })
  .partial({ chatHistory: true });

export type PdfChat = ReturnType<typeof usePdfChat>;

/** State of the page: list of documents, the open document or new file, its conversation, and the current job. */
export function usePdfChat() {
  const queries = useQueryClient();
  const run = useToolRun(TOOL);
  const { question, askedJobId, waiting, remember } = usePendingQuestion(run);
  const upload = useFileChoice(TOOL, 'pdf');
  const scanLanguage = useScanLanguage();
  const documents = usePdfChats();
  const clear = useClearPdfChats();
  const rename = useRenamePdfChat();
  const { mutateAsync: deleteChat } = useDeletePdfChat();
  const { removed, remove, removeAll } = useDelayedRemoval((name: string) =>
    name === ALL_CHATS ? clear.mutateAsync() : deleteChat(name),
  );
  const same = useSamePdf(upload.file);
  const { fileName, messages, open, show: showConversation } = useConversation();
  const { choose } = upload;
  const { show: showJob } = run;

  // Initially opens the document that the URL names, or else the last selected document, if the list still has it.
  const [parameters] = useSearchParams();
  const [initialName] = useState(() => parameters.get('file') ?? chatCache.readSelected());
  const [startsWithConversation] = useState(() => (initialName ?? run.id) !== null);
  const nameToOpen = useRef(initialName);
  const listed = documents.data;
  useEffect(() => {
    const name = nameToOpen.current;
    if (listed === undefined || name === null) return;
    nameToOpen.current = null;
    if (listed.some((document) => document.fileName === name)) open(name);
  }, [listed, open]);

  const listFailed = documents.failureReason !== null;
  useEffect(() => {
    if (listFailed) toast.error('Failed to load initial data', { id: 'pdf-chats' });
  }, [listFailed]);

  const job = run.view?.job;
  const handledJobId = useRef<string>(null);
  useEffect(() => {
    if (job?.status !== 'succeeded' || handledJobId.current === job.id) return;
    const result = resultSchema.safeParse(job.result);
    if (!result.success) return;
    handledJobId.current = job.id;
    nameToOpen.current = null;
    const { fileName: name, chatHistory } = result.data;
    if (chatHistory) showConversation(name, chatHistory);
    // The result of an older job lacks later messages, so load the conversation, unless the job was just asked in this tab.
    if (!chatHistory || askedJobId !== job.id) open(name);
    choose(null);
    showJob(null);
    void queries.invalidateQueries({ queryKey: queryKeys.pdfChats });
  }, [job, askedJobId, showConversation, open, choose, showJob, queries]);

  const isNewFile = upload.file !== null;

  return {
    run,
    upload,
    scanLanguage,
    documents: listed?.filter(({ fileName }) => !removed.has(ALL_CHATS) && !removed.has(fileName)),
    listFailed,
    reloadList: () => void documents.refetch(),
    /** True if the page opened with a conversation. */
    startsWithConversation,
    /** File name of the open document; null if none is open or a new file is chosen. */
    fileName: isNewFile ? null : fileName,
    messages: isNewFile ? [] : messages,
    /** Name of the new file, or else of the open document. */
    documentName: upload.file?.name ?? fileName,
    pending: job?.status === 'succeeded' ? null : question,
    waiting,
    chooseFile: (file: File | null) => {
      choose(file);
      if (file === null) return;
      // A file with the name of a deleted chat starts a new one.
      removeAll();
      open(null);
      showJob(null);
    },
    openDocument: (name: string | null) => {
      choose(null);
      showJob(null);
      open(name);
    },
    handleAsked: (accepted: Job, message: string) => {
      remember(accepted.id, message);
      showJob(accepted.id);
    },
    /** A conversation about the new file under another name. */
    same,
    renaming: rename.isPending,
    renameChat: ({ notebookId, fileName: before }: PdfChatSummary, name: string, onRenamed: () => void) =>
      rename.mutate(
        { id: notebookId, name },
        {
          onSuccess: (after) => {
            onRenamed();
            chatCache.write(after, chatCache.read(before));
            chatCache.remove(before);
            if (fileName === before) open(after);
          },
          onError: (error) => toast.error(error.message),
        },
      ),
    deleteChat: ({ fileName: name }: PdfChatSummary) => {
      chatCache.remove(name);
      if (fileName === name) open(null);
      remove(name, `Deleted “${name}”`);
    },
    clearAll: () => {
      chatCache.clearAll();
      choose(null);
      open(null);
      showJob(null);
      remove(ALL_CHATS, 'Chat history cleared');
    },
  };
}
