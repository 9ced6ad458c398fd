import { useParams } from 'react-router-dom';
import { PremiumBadge } from '../../components/premium-badge';
import { NotFoundSheet } from '../not-found/not-found-sheet';
import { NotThereYet } from './not-there-yet';
import { toolPages } from './registry';

/** The page of the tool that the address names. */
export default function ToolRoute() {
  const { segment } = useParams();
  const tool = toolPages.find((candidate) => candidate.segment === segment);
  if (tool === undefined) return <NotFoundSheet />;
  const { Page, label, description, premium } = tool;
  if (Page !== null) return <Page />;
  return <NotThereYet title={label} badge={premium && <PremiumBadge />} description={description} />;
}
