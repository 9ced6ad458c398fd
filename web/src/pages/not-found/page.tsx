import { SiteFrame } from '../../components/site-frame';
import { NotFoundSheet } from './not-found-sheet';

export default function NotFoundPage() {
  return (
    <SiteFrame>
      <div className="mx-auto w-full max-w-3xl px-4 py-16">
        <NotFoundSheet />
      </div>
    </SiteFrame>
  );
}
