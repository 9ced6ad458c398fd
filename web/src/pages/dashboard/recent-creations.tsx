import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Creation } from '#libs/contract/creations.js';
import { paths } from '../../app/paths';
import { buttonClass } from '../../components/button';
import { CreationCard } from './creation-card';
import { EmptySheet, Section } from './section';

const SHOWN = 4;

export function RecentCreations({ creations }: { creations: readonly Creation[] }) {
  const [all, setAll] = useState(false);
  const more = creations.length > SHOWN;
  const shown = all ? creations : creations.slice(0, SHOWN);
  return (
    <Section title="Recent Creations" expanded={more ? all : null} onToggle={() => setAll(!all)}>
      {shown.length === 0 ? (
        <EmptySheet
          text="No creations found"
          action={
            <Link to={paths.tool('write-article')} className={buttonClass('primary')}>
              Create Your First Content
            </Link>
          }
        />
      ) : (
        <ul className="border-t border-line">
          {shown.map((creation) => (
            <CreationCard key={creation.id} creation={creation} />
          ))}
        </ul>
      )}
    </Section>
  );
}
