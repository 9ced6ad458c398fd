import type { ReactNode } from 'react';
import clsx from 'clsx';
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
}

/** A message in the page. Screen readers announce the tone `danger` at once. */
export function Notice({ tone, title, children, action }: NoticeProps) {
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
        {action && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
