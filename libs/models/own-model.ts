import { ConfigurationError } from '#libs/config/configuration-error.js';

/** A model of the operator that takes the place of one in the catalogue. */
export interface OwnModel {
  /** The model's name in results. */
  title: string;
  files: { path: string; sha256: string }[];
  /** The memory of its process. */
  memoryMb: number;
  /** What an operator does if it cannot be used. */
  advice: string;
}

export const unusable = ({ title, advice }: Pick<OwnModel, 'title' | 'advice'>, path: string, why: string) =>
  new ConfigurationError(`The model ${title} in ${path} cannot be used: ${why} ${advice}`);
