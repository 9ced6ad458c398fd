import { Link } from 'react-router-dom';
import { ArrowRight, Play } from 'lucide-react';
import { useConfig } from '../../shared/account/read-config';
import { paths } from '../../shared/paths';
import { buttonClass } from '../../shared/ui/button';
import { demoVideoUrl } from '../../shared/content/sample';
import { TopicForm } from './topic-form';
import { RecordedRunPlayer } from './recorded-run-player';

export function Hero() {
  const config = useConfig();
  return (
    <section className="mx-auto grid max-w-7xl grid-cols-1 items-center gap-12 px-4 pt-8 pb-20 sm:px-8 sm:pt-14 lg:grid-cols-[1.05fr_1fr] lg:gap-16 lg:pb-24">
      <div>
        <p className="mb-6 text-sm text-quiet">Trusted by 10k+ creators</p>
        <h1 className="text-[clamp(2.75rem,5.4vw,4.75rem)] leading-[1.02] tracking-[-0.025em] text-wrap">
          Powerful content creation, powered by AI tools
        </h1>
        <p className="mt-7 max-w-lg text-lg text-quiet">
          Create articles, titles, resumes, images and more, and watch the results appear. You can close the
          page at any time: your work continues and waits for you.
        </p>
        <TopicForm />
        <div className="mt-6 flex flex-wrap gap-3">
          <Link to={paths.newAccount} className={buttonClass('primary')}>
            Start creating now
            <ArrowRight aria-hidden="true" className="size-4" />
          </Link>
          <a
            href={config.data?.demoVideoUrl ?? demoVideoUrl}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass('plain')}
          >
            <Play aria-hidden="true" className="size-4" />
            Watch demo
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        </div>
      </div>
      <RecordedRunPlayer />
    </section>
  );
}
