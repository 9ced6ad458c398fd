import { useState } from 'react';
import { Link } from 'react-router-dom';
import { FileText } from 'lucide-react';
import type { PdfChatSummary } from '#libs/contract/pdf-chats.js';
import { paths } from '../../shared/paths';
import { buttonClass } from '../../shared/ui/button';
import { markdownPreview } from '#libs/contract/markdown.js';
import { RowThumbnail } from '../../shared/ui/row-thumbnail';
import { EmptyPanel, Section } from './section';

const MAX_VISIBLE = 3;

export function RecentPdfChats({ chats }: { chats: readonly PdfChatSummary[] }) {
  const [all, setAll] = useState(false);
  const more = chats.length > MAX_VISIBLE;
  const shown = all ? chats : chats.slice(0, MAX_VISIBLE);
  const page = paths.tool('chat-with-pdf');
  return (
    <Section title="Recent PDF Chats" expanded={more ? all : null} onToggle={() => setAll(!all)}>
      {shown.length === 0 ? (
        <EmptyPanel
          text="No PDF chats found"
          action={
            <Link to={page} className={buttonClass('plain')}>
              Start New PDF Chat
            </Link>
          }
        />
      ) : (
        <ul className="border-t border-line">
          {shown.map(({ notebookId, fileName, lastMessage }) => (
            <li key={notebookId} className="border-b border-line">
              <Link
                to={`${page}?file=${encodeURIComponent(fileName)}`}
                className="flex items-center gap-3 px-2 py-3.5 transition-colors hover:bg-tint sm:gap-4 sm:px-4"
              >
                <RowThumbnail icon={FileText} />
                <span className="min-w-0">
                  <span className="block truncate font-semibold">{fileName}</span>
                  <span className="block truncate text-sm text-quiet">
                    {markdownPreview(lastMessage) || 'No messages yet'}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
