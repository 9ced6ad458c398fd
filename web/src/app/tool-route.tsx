import { useParams } from 'react-router-dom';
import { NotFoundSheet } from '../shared/ui/not-found-sheet';
import { registeredTools } from './tool-registry';

/** The page of the tool that the address names. */
export default function ToolRoute() {
  const { segment } = useParams();
  const tool = registeredTools.find((candidate) => candidate.segment === segment);
  return tool === undefined ? <NotFoundSheet /> : <tool.Page />;
}
