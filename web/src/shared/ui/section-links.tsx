import { Link } from 'react-router-dom';
import { landingSections, paths } from '../paths';

interface SectionLinksProps {
  className: string;
  onNavigate?: () => void;
}

export function SectionLinks({ className, onNavigate }: SectionLinksProps) {
  return landingSections.map(({ label, anchor }) => (
    <Link
      key={anchor}
      to={{ pathname: paths.landing, hash: anchor }}
      className={className}
      onClick={onNavigate}
    >
      {label}
    </Link>
  ));
}
