import { useParams } from 'react-router-dom';
import { NotFoundPanel } from '../shared/ui/not-found-panel';
import { registeredTools } from './tool-registry';

export function ToolRoute() {
  const { segment } = useParams();
  const tool = registeredTools.find((candidate) => candidate.segment === segment);
  return tool === undefined ? <NotFoundPanel /> : <tool.Page />;
}
