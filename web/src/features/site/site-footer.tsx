import { useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../shared/paths';
import { socialLinks } from '../../shared/content/sample';
import { Logo } from '../../shared/ui/logo';
import { socialIcons } from './social-icons';

const subscribe = () => () => undefined;
const networks = Object.keys(socialLinks) as (keyof typeof socialLinks)[];

export function SiteFooter() {
  // Rendered only in the browser, since the prerendered page can be from an earlier year.
  const year = useSyncExternalStore(
    subscribe,
    () => new Date().getFullYear(),
    () => null,
  );
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex w-full max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-6 px-4 py-10 sm:px-8">
        <Logo />
        <ul aria-label="Pressroom on social media" className="-mx-2.5 flex sm:order-last">
          {networks.map((network) => (
            <li key={network}>
              <a
                href={socialLinks[network]}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={`${network} (opens in a new tab)`}
                className="grid size-11 place-items-center rounded-control text-quiet transition-colors hover:bg-tint hover:text-ink"
              >
                <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor" className="size-[1.125rem]">
                  <path d={socialIcons[network]} />
                </svg>
              </a>
            </li>
          ))}
        </ul>
        <p className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm text-quiet">
          <span>© {year} Pressroom</span>
          <Link
            to={paths.terms}
            className="min-w-11 underline-offset-4 hover:text-ink hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
          >
            Terms
          </Link>
          <Link
            to={paths.privacy}
            className="min-w-11 underline-offset-4 hover:text-ink hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
          >
            Privacy
          </Link>
        </p>
      </div>
    </footer>
  );
}
