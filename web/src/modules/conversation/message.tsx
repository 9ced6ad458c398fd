import type { MouseEvent, ReactNode } from 'react';
import clsx from 'clsx';
import type { PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { directionOf } from '../../shared/markdown/direction';
import { Markdown } from '../../shared/markdown/markdown';
import { EngineNote } from '../submission/results/engine-note';
import {
  linkPages,
  pageNameOf,
  parsePageLink,
  type CitedLocation,
  type DocumentCitation,
} from './page-links';

/** A message whose citations can name one of several documents. */
export interface ConversationMessage extends Omit<PdfChatMessage, 'citations'> {
  citations?: readonly DocumentCitation[];
}

interface MessageProps {
  message: ConversationMessage;
  /** Name of who answers. */
  assistant: string;
  onOpenPage: (location: CitedLocation) => void;
  /** Actions on an answer. */
  actions?: ReactNode;
}

export function Message({ message, assistant, onOpenPage, actions }: MessageProps) {
  const { role, content, citations = [], engine, model } = message;
  if (role === 'user') return <Question text={content} />;
  return (
    <li>
      <Speaker name={assistant}>
        {engine === 'offline' && <EngineNote engine={engine} model={model} past />}
      </Speaker>
      <Answer text={content} citations={citations} onOpenPage={onOpenPage} />
      {citations.length > 0 && <Citations citations={citations} onOpenPage={onOpenPage} />}
      {actions}
    </li>
  );
}

export function Question({ text }: { text: string }) {
  return (
    <li className="rounded-panel bg-sunken px-5 py-4">
      <Speaker name="You" />
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
    </li>
  );
}

export function Speaker({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <p className="mb-2 flex flex-wrap items-center justify-between gap-x-4 text-sm text-quiet">
      <span className="font-semibold text-ink">{name}</span>
      {children}
    </p>
  );
}

interface AnswerProps {
  text: string;
  citations: readonly DocumentCitation[];
  streaming?: boolean;
  onOpenPage: (location: CitedLocation) => void;
}

/** An answer of the chat. Its page references are links that open the document. */
export function Answer({ text, citations, streaming, onOpenPage }: AnswerProps) {
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const location = parsePageLink(link?.getAttribute('href') ?? null, citations);
    if (location === null) return;
    event.preventDefault();
    link?.focus();
    onOpenPage(location);
  };
  return (
    // Handles clicks that bubble up from the links, which Markdown renders.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={follow}>
      <Markdown text={linkPages(text, citations)} streaming={streaming} />
    </div>
  );
}

export function Citations({ citations, onOpenPage }: Pick<AnswerProps, 'citations' | 'onOpenPage'>) {
  const ofSeveral = citations.some(({ document }) => document !== undefined);
  return (
    <section aria-label="Sources" className="mt-4 border-t border-line pt-3">
      <h3 className="font-sans text-sm font-semibold tracking-normal">
        {ofSeveral ? 'From the documents' : 'From the document'}
      </h3>
      <ul className="mt-2 grid gap-2">
        {citations.map(({ page, label, quote, source, document }) => (
          <li
            key={`${source} ${page} ${quote}`}
            className={clsx(
              'grid gap-x-3 gap-y-1 text-sm',
              ofSeveral ? 'grid-cols-1' : 'grid-cols-[auto_minmax(0,1fr)]',
            )}
          >
            <button
              type="button"
              // An `aria-label` must contain the visible text, which names the document first.
              aria-label={
                document === undefined
                  ? `Open page ${pageNameOf({ page, label })} of the document`
                  : undefined
              }
              onClick={() => onOpenPage({ page, quote, source })}
              className="flex h-fit min-h-6 max-w-full touch:min-h-11 touch:min-w-11 items-center gap-1.5 justify-self-start rounded-[4px] border border-edge px-1.5 font-mono text-xs leading-6 whitespace-nowrap hover:border-ink hover:bg-tint"
            >
              {document !== undefined && (
                <span className="sr-only">
                  Open page {pageNameOf({ page, label })} of {document}
                </span>
              )}
              <span
                aria-hidden={document !== undefined || undefined}
                className="flex max-w-full min-w-0 items-center gap-1.5"
              >
                {document !== undefined && (
                  <>
                    <span>{source}</span>
                    <bdi className="min-w-0 truncate font-sans" title={document}>
                      {document}
                    </bdi>
                  </>
                )}
                <span className="shrink-0">Page {pageNameOf({ page, label })}</span>
              </span>
            </button>
            <q dir={directionOf(quote)} className="block leading-6 break-words text-quiet">
              {quote}
            </q>
          </li>
        ))}
      </ul>
    </section>
  );
}
