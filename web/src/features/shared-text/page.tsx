import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import type { SharedText } from '#libs/contract/sharing.js';
import { call } from '../../shared/http/call';
import { isNotFound, publicHttp } from '../../shared/http/http';
import { queryKeys } from '../../shared/http/query-keys';
import { formatDate } from '../../shared/lib/format';
import { Markdown } from '../../shared/markdown/markdown';
import { paths } from '../../shared/paths';
import { buttonClass } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { Loading } from '../../shared/ui/spinner';

/** Public page of a text that a user shared by link. */
export default function SharedTextPage() {
  const { token = '' } = useParams();
  const {
    data: text,
    failureReason: error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.sharedText(token),
    queryFn: async ({ signal }) =>
      (await call(publicHttp, creationRoutes.getSharedText, { params: { token }, signal })).text,
  });
  const isWithdrawn = isNotFound(error);
  return (
    <article className="mx-auto w-full max-w-[72ch] px-4 pt-8 pb-24 sm:px-8 sm:pt-16">
      {text !== undefined && !isWithdrawn ? (
        <TextView text={text} />
      ) : error === null ? (
        <Loading label="Loading the text" />
      ) : (
        <>
          <title>{isWithdrawn ? 'Not shared · Pressroom' : 'Pressroom'}</title>
          <h1 className="mb-6 text-4xl">{isWithdrawn ? 'Not shared' : 'One moment'}</h1>
          <Notice
            tone={isWithdrawn ? 'note' : 'danger'}
            title={isWithdrawn ? 'There is no text at this address' : 'The text could not be loaded'}
            action={
              isWithdrawn && (
                <Link to={paths.landing} className={buttonClass('plain', 'small')}>
                  Go to the start page
                </Link>
              )
            }
            onRetry={isWithdrawn ? undefined : refetch}
          >
            {isWithdrawn ? 'The author may have stopped sharing it, or the link is wrong.' : error.message}
          </Notice>
        </>
      )}
    </article>
  );
}

function TextView({ text: { title, content, author, createdAt } }: { text: SharedText }) {
  return (
    <>
      <title>{`${title} · Pressroom`}</title>
      {/* For screen readers only: the visible title is part of the text, as h3. */}
      <h1 className="sr-only">{title}</h1>
      <h2 className="mb-8 border-b border-line pb-4 font-sans text-sm font-normal tracking-normal text-quiet">
        Shared by <bdi className="font-semibold text-ink">{author}</bdi>
        <span aria-hidden="true"> · </span>
        <time dateTime={createdAt}>{formatDate(createdAt)}</time>
      </h2>
      <Markdown text={content} />
      <p className="mt-12 border-t border-line pt-6">
        <Link to={paths.landing} className={buttonClass('plain', 'small')}>
          Write your own with Pressroom
        </Link>
      </p>
    </>
  );
}
