import { useState } from 'react';
import clsx from 'clsx';
import { Tabs } from 'radix-ui';
import toast from 'react-hot-toast';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import type { CitedLocation } from '../../../modules/conversation/page-links';
import type { PdfLocation } from '../../../modules/conversation/pdf/use-pdf';
import { useNeedsPremium } from '../../../modules/runs/jobs/premium-notice';
import { useChangeParameters } from '../../../shared/lib/use-change-parameters';
import { useDelayedRemoval } from '../../../shared/ui/use-delayed-removal';
import { useMedia } from '../../../shared/lib/use-media';
import { useSearchParams } from 'react-router-dom';
import { useRemoveDocument } from './api/document-calls';
import { useClearMessages, type OpenNotebook } from './api/notebook-calls';
import { ConversationPane } from './conversation/conversation-pane';
import { useNotebookChat } from './conversation/use-notebook-chat';
import { DocumentsPane } from './documents/documents-pane';
import { useDocumentUploads } from './documents/use-document-uploads';
import { NotebookHeading } from './notebook-heading';
import { NotesPane } from './notes/notes-pane';
import { DocumentReader } from './reader/document-reader';
import { useRefreshOnJobs } from './use-refresh-on-jobs';

type Pane = 'documents' | 'conversation' | 'document' | 'notes';

const labels: Record<Pane, string> = {
  documents: 'Documents',
  conversation: 'Chat',
  document: 'Document',
  notes: 'Notes',
};
const HEIGHT =
  'h-[calc(100dvh-12.5rem-var(--job-tray-height))] min-h-[26rem] xl:h-[calc(100dvh-15rem-var(--job-tray-height))] xl:min-h-[30rem]';

export function NotebookWorkspace({ notebook, documents: all }: OpenNotebook) {
  const { id } = notebook;
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const isWide = useMedia('(width >= 80rem)');
  const needsPremium = useNeedsPremium();
  const uploads = useDocumentUploads(id);
  const { mutateAsync: removeDocument } = useRemoveDocument(id);
  const { removed, remove, removeAll } = useDelayedRemoval(removeDocument);
  useRefreshOnJobs(id, all);

  const documents = all.filter((document) => !removed.has(document.id));
  const ready = documents.filter(({ state }) => state === 'ready');
  const chat = useNotebookChat(id, ready, removed.size > 0);
  const clear = useClearMessages(id);
  const addDocuments: typeof uploads.add = (added) => {
    // Otherwise the removed documents would take room, and a document that is added again would be removed.
    removeAll();
    uploads.add(added);
  };

  const openId = parameters.get('document');
  const [place, setPlace] = useState<{ documentId: string; location: PdfLocation } | null>(null);
  // Earlier versions open too, if an answer cites them.
  const openDocument = documents.find((document) => document.id === openId) ?? null;
  const location = place !== null && place.documentId === openId ? place.location : null;
  const [pane, setPane] = useState<Pane>(ready.length === 0 ? 'documents' : 'conversation');
  const side = pane === 'notes' ? 'notes' : 'document';

  const show = (documentId: string, next: PdfLocation | null) => {
    setPlace(next && { documentId, location: next });
    change({ document: documentId });
    setPane('document');
  };
  const openPage = ({ source, ...next }: CitedLocation) => {
    const cited = documents.find((document) => document.source === source);
    if (cited) show(cited.id, next);
    else toast.error('This document was removed from the notebook.');
  };
  const ask = (question: string) => {
    chat.ask(question);
    if (!isWide) setPane('conversation');
  };

  const panes = {
    documents: (
      <DocumentsPane
        notebookId={id}
        documents={documents}
        uploads={{ ...uploads, add: addDocuments }}
        disabled={needsPremium}
        openId={openDocument?.id ?? null}
        onOpen={(documentId) => show(documentId, null)}
        onRemove={(document) => remove(document.id, `Removed “${document.name}”`)}
      />
    ),
    conversation: (
      <ConversationPane
        notebookId={id}
        chat={chat}
        documents={ready.length}
        onOpenPage={openPage}
        onClear={() => clear.mutate(undefined, { onError: ({ message }) => toast.error(message) })}
      />
    ),
    document:
      openDocument === null ? (
        <NoDocument documents={ready} onOpen={(documentId) => show(documentId, null)} />
      ) : (
        <DocumentReader
          notebookId={id}
          document={openDocument}
          location={location}
          onAsk={chat.canAsk && !chat.waiting ? ask : null}
        />
      ),
    notes: <NotesPane notebookId={id} disabled={needsPremium} onOpenPage={openPage} />,
  };

  return (
    <>
      <NotebookHeading notebook={notebook} />
      {isWide ? (
        <div className="grid grid-cols-[15rem_minmax(0,1fr)_minmax(0,1fr)] items-start gap-4">
          <div className={clsx('panel flex flex-col overflow-hidden', HEIGHT)}>{panes.documents}</div>
          <div className={clsx('panel flex flex-col overflow-hidden', HEIGHT)}>{panes.conversation}</div>
          <PaneTabs panes={['document', 'notes']} shown={side} content={panes} onShow={setPane} />
        </div>
      ) : (
        <PaneTabs
          panes={['documents', 'conversation', 'document', 'notes']}
          shown={pane}
          content={panes}
          onShow={setPane}
        />
      )}
    </>
  );
}

interface PaneTabsProps {
  panes: readonly Pane[];
  shown: Pane;
  content: Record<Pane, React.ReactNode>;
  onShow: (pane: Pane) => void;
}

/** Panes of which one is visible. */
const PaneTabs = ({ panes, shown, content, onShow }: PaneTabsProps) => (
  <Tabs.Root
    value={shown}
    onValueChange={(pane) => onShow(pane as Pane)}
    className={clsx('panel flex min-w-0 flex-col overflow-hidden', HEIGHT)}
  >
    <Tabs.List aria-label="Parts of the notebook" className="flex shrink-0 border-b border-line">
      {panes.map((pane) => (
        <Tabs.Trigger
          key={pane}
          value={pane}
          className="relative min-h-12 flex-1 px-1 text-sm text-quiet outline-offset-[-2px] hover:text-ink data-[state=active]:font-semibold data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-3 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:bg-accent"
        >
          {labels[pane]}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
    {panes.map((pane) => (
      <Tabs.Content
        key={pane}
        value={pane}
        // The notes stay mounted, since they can have an unsaved text, a removal to undo or a job to follow.
        forceMount={pane === 'notes' || undefined}
        className="flex min-h-0 flex-1 flex-col outline-offset-[-2px] data-[state=inactive]:hidden"
      >
        {content[pane]}
      </Tabs.Content>
    ))}
  </Tabs.Root>
);

interface NoDocumentProps {
  documents: readonly NotebookDocument[];
  onOpen: (documentId: string) => void;
}

function NoDocument({ documents, onOpen }: NoDocumentProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-6">
      <p className="text-sm text-quiet">
        {documents.length === 0
          ? 'A document opens here, with its summary.'
          : 'Choose a document to see its summary and its pages.'}
      </p>
      <ul className="mt-3 grid gap-1">
        {documents.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onOpen(id)}
              className="w-full rounded-control px-2 py-2 text-left text-sm wrap-anywhere hover:bg-tint"
            >
              <bdi>{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
