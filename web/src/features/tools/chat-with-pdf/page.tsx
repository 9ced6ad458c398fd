import { useRef } from 'react';
import clsx from 'clsx';
import { ToolHeading } from '../../../shared/tools/tool-heading';
import { Attachments } from './attachments';
import { ChatSidebar } from './chat-sidebar';
import { ConversationPane } from './conversation-pane';
import { DocumentPane } from '../../../modules/conversation/document-pane';
import { DocumentSummaryPanel } from '../../../modules/conversation/document-summary';
import { SamePdfDialog } from './same-pdf-dialog';
import { DocumentView } from './document-view';
import { usePdfChat } from './use-pdf-chat';
import { useOpenPage } from '../../../modules/conversation/use-open-page';

export default function ChatWithPdfPage() {
  const chat = usePdfChat();
  const { documentName } = chat;
  const { location, show, hide } = useOpenPage(documentName);
  const opened = chat.documents?.find(({ fileName }) => fileName === chat.fileName);
  const attachments = opened?.attachments ?? [];
  const questionBox = useRef<{ ask: (question: string) => void }>(null);
  const isDocumentOpen = documentName !== null && location !== null;
  return (
    <>
      <ToolHeading
        tool="chat-with-pdf"
        lead="Ask questions about a document and get answers that cite its pages."
      />
      <div
        className={clsx(
          'grid items-start gap-6',
          isDocumentOpen
            ? 'lg:grid-cols-2 lg:[&>:first-child]:hidden'
            : 'lg:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[18rem_minmax(0,1fr)] xl:gap-10',
        )}
      >
        <ChatSidebar chat={chat} />
        <ConversationPane
          chat={chat}
          documentOpen={isDocumentOpen}
          onShowPage={show}
          questionBox={questionBox}
        />
        {isDocumentOpen && (
          <DocumentPane name={documentName} location={location} onClose={hide}>
            {attachments.length > 0 && chat.fileName !== null && (
              <Attachments
                fileName={chat.fileName}
                attachments={attachments}
                waiting={chat.waiting}
                onOpen={chat.chooseFile}
              />
            )}
            {opened !== undefined && (
              <DocumentSummaryPanel
                key={opened.id}
                documentId={opened.id}
                expanded={location.quote === undefined}
                onAsk={chat.waiting ? null : (question) => questionBox.current?.ask(question)}
              />
            )}
            <DocumentView name={documentName} file={chat.upload.file} location={location} />
          </DocumentPane>
        )}
      </div>
      {chat.same.name !== null && (
        <SamePdfDialog
          name={chat.same.name}
          onGoOn={() => chat.openDocument(chat.same.name)}
          onStartNew={chat.same.startNew}
        />
      )}
    </>
  );
}
