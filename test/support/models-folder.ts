import { resolve } from 'node:path';

/** The models of all test runs, fetched once (global-setup.ts). */
export const MODELS_FOLDER = resolve('node_modules/.cache/pressroom-models');
