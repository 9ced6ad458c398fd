import type { APIError } from 'openai';
import { EngineError, type ImageOperation } from '#libs/contract/engine.js';
import { isDeclined, isUnknownModel } from './openai-errors.js';

/** Words of services without an endpoint or a model for pictures, after the bodies in image-servers.test.ts. */
const NO_IMAGES = [
  '(image|picture)s?[ /_-](generation|edit|variation|creation|output)\\w*\\b.{0,40}\\b(not |un)(supported|available|enabled|implemented|allowed)',
  "(not|n't) (support|capable|able|allow)\\w*\\b.{0,30}\\b(image|picture)s?[ /_-](generation|edit|creation|output)",
  "(not|n't) support (images|pictures)\\b(?! (of|with|in|as|larger|smaller|format|type|size|url))",
  'not an? (image|text-to-image|diffusion)\\b.{0,20} model',
  '(unexpected|unknown|unrecogni[sz]ed|invalid) (endpoint|route|(request )?url)',
  '\\b(not |un)implemented\\b|unsupported content[ -]type',
  '\\bmasks?\\b.{0,30}\\b(not |un)(supported|allowed|expected|known|recogni[sz]ed)|(un(supported|expected|known|recogni[sz]ed)|not support)\\b.{0,30}\\bmasks?\\b',
];
const noImages = new RegExp(NO_IMAGES.join('|'), 'i');
/** The same about models, whatever the status. */
const unknownModel =
  /\b(model|deployment)\b.*(not (found|exist|available)|unknown|invalid|no such)|(unknown|invalid|unsupported|no such) (model|deployment)|could not load model/is;
/** Statuses of an endpoint that a service does not have, or that takes no files. */
const missingEndpoint = [404, 405, 415, 501];

type Refusal = Pick<APIError, 'status' | 'code' | 'type' | 'param' | 'message' | 'error'>;

/**
 * True if no picture can be had from the service: it has no such endpoint, or its model cannot do this. An unknown model
 * counts only if it is our default, because an operator's model is a mistake to report.
 */
export function isUnsupported(refusal: Refusal, isDefaultModel: boolean): boolean {
  const { status, code, param, message } = refusal;
  if (isDeclined(refusal)) return false;
  if (noImages.test(message)) return true;
  if (code === 'model_not_found' || isUnknownModel(refusal) || unknownModel.test(message))
    return isDefaultModel;
  return missingEndpoint.includes(Number(status)) || (status === 400 && param === 'model');
}

export const unsupportedImages = (operation: ImageOperation, { cause, providerCode }: EngineError) =>
  new EngineError(
    `The AI service cannot ${operation === 'edit' ? 'change' : 'make'} pictures. An operator needs to check OPENAI_BASE_URL and set AI_IMAGE_MODEL to a model that can, or leave this tool to the models of this server.`,
    { retryable: false, scope: 'unsupported', cause, providerCode },
  );
