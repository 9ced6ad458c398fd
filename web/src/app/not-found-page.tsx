import { NotFoundPanel } from '../shared/ui/not-found-panel';

export default function NotFoundPage() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-16">
      <NotFoundPanel />
    </div>
  );
}
