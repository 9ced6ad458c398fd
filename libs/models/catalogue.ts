import type { ModelId } from '#libs/contract/model-names.js';
import data from './catalogue.json' with { type: 'json' };

/** A file of a model. It is used only if it has this hash, whatever its source. */
export interface ModelFile {
  name: string;
  /** The path in the archive of the npm package. */
  packed: string;
  bytes: number;
  sha256: string;
  /** The address at which its authors or converters publish the same file; null if they publish another form. */
  upstream: string | null;
}

/** A pretrained model that runs on this server. docs/models.md describes each. */
export interface ModelEntry {
  /** The model's name in results. */
  title: string;
  purpose: string;
  /** The npm package that contains its files. The package's code is never installed or run. */
  package: { name: string; version: string; bytes: number };
  files: readonly ModelFile[];
  licence: { id: 'Apache-2.0' | 'MIT'; holder: string };
  /** `always`: by every worker; `on demand`: by the first job that needs it; `on request`: by the operator. */
  fetched: 'always' | 'on demand' | 'on request';
}

/** Every model file that Pressroom can use. Only `catalogue.json` has packages, versions and hashes. */
export const modelCatalogue = data as Record<ModelId, ModelEntry>;
