import { Link } from 'react-router-dom';
import { paths } from '../paths';
import { buttonClass } from './button';
import { CornerMarks } from './corner-marks';

export function NotFoundPanel() {
  return (
    <div className="panel relative grid min-h-96 place-items-center px-8 py-16 text-center">
      <title>Page not found · Pressroom</title>
      <CornerMarks />
      <div>
        <p className="font-mono text-sm text-quiet">404</p>
        <h1 className="mt-3 text-4xl">Page not found</h1>
        <p className="mx-auto mt-4 max-w-sm text-quiet">The address may be wrong, or the page has moved.</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <Link to={paths.dashboard} className={buttonClass('primary')}>
            Go to your dashboard
          </Link>
          <Link to={paths.landing} className={buttonClass('plain')}>
            Go to the start page
          </Link>
        </div>
      </div>
    </div>
  );
}
