import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import toast from 'react-hot-toast';
import { accountRoutes } from '#libs/contract/routes/account.js';
import { useHttp } from '../../shared/account/use-http';
import { call } from '../../shared/http/call';
import { downloadFrom } from '../../shared/lib/save-file';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { Button } from '../../shared/ui/button';

/** Lets the user download everything that is stored about the account. */
export function ExportSection({ heading: Heading = 'h3' }: { heading?: 'h2' | 'h3' }) {
  const http = useHttp();
  const start = useMutation({
    mutationFn: () => call(http, accountRoutes.exportAccount, {}),
    onSuccess: ({ url }) => downloadFrom(sameOriginUrl(url)),
    onError: ({ message }) => void toast.error(message),
  });
  return (
    <section aria-label="Your data" className="border-t border-line pt-6">
      <Heading className="text-lg">Your data</Heading>
      <p className="mt-1 text-[0.9375rem] text-quiet">
        Everything that is stored about your account, in one ZIP: texts, images, documents and settings.
      </p>
      <Button size="small" busy={start.isPending} onClick={() => start.mutate()} className="mt-3">
        {!start.isPending && <Download aria-hidden="true" className="size-4" />}
        Download all your data
      </Button>
    </section>
  );
}
