import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ArrowLeft } from 'lucide-react';
import { paths } from '../../app/paths';
import { buttonClass } from '../../components/button';
import { PageHeading } from '../../components/page-heading';
import { RegisterMarks } from '../../components/register-marks';

interface NotThereYetProps {
  title: string;
  badge?: ReactNode;
  /** What it will do, in a sentence. */
  description: string;
}

/** A page whose work has not begun to run: says what will be here, and leads back to what works. */
export function NotThereYet({ title, badge, description }: NotThereYetProps) {
  return (
    <>
      <PageHeading badge={badge}>{title}</PageHeading>
      <div className="sheet relative grid min-h-96 place-items-center px-8 py-16 text-center">
        <RegisterMarks />
        <div className="max-w-md">
          <p className="display text-2xl sm:text-3xl">On the stone, not yet on the press.</p>
          <p className="mt-4 text-quiet">
            {description} This page is not there yet; it comes with a later edition.
          </p>
          <Link to={paths.tool('write-article')} className={`${buttonClass('plain')} mt-8`}>
            <ArrowLeft aria-hidden="true" className="size-4" />
            Write an article meanwhile
          </Link>
        </div>
      </div>
    </>
  );
}
