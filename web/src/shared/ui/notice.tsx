import type { ReactNode } from 'react';
import clsx from 'clsx';
import { Button } from './button';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';

const tones = {
  danger: { Icon: CircleAlert, color: 'text-danger' },
  warning: { Icon: TriangleAlert, color: 'text-warning' },
  success: { Icon: CircleCheck, color: 'text-success' },
  note: { Icon: Info, color: 'text-quiet' },
};

interface NoticeProps {
  tone: keyof typeof tones;
  title?: string;
  children: ReactNode;
  action?: ReactNode;
  /** If given, the notice has a button “Try again” that calls this function. */
  onRetry?: () => unknown;
}

/** A message in the page. Screen readers announce notices of the tone `danger` immediately. */
export function Notice({ tone, title, children, action, onRetry }: NoticeProps) {
  const { Icon, color } = tones[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className="flex animate-fade gap-3 rounded-control border border-line bg-sunken p-4 text-[0.9375rem]"
    >
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-5 shrink-0', color)} />
      <div className="min-w-0 wrap-anywhere">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        <p className={title === undefined ? '' : 'text-quiet'}>{children}</p>
        {(action || onRetry) && (
          <div className="mt-3 flex flex-wrap gap-2">
            {onRetry && (
              <Button size="small" onClick={() => void onRetry()}>
                Try again
              </Button>
            )}
            {action}
          </div>
        )}
      </div>
    </div>
  );
}
