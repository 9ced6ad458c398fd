import { beforeEach } from '@jest/globals';
import { form, type SignedInUser, type InProcessProduct, useInProcessProduct } from './in-process-product.ts';

export const MB = 1024 * 1024;

/** Bytes that pass the checks of an upload as a PDF of this size. */
export const pdf = (bytes = 2_000) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, 'x')]);

/** The product for the tests of a file, with a new user in each. */
export interface Uploads {
  readonly product: InProcessProduct;
  readonly ada: SignedInUser;
  /** Sends a file to `probe-pdf`. */
  sendPdf(bytes: Buffer, options?: RequestInit & { name?: string; note?: string }): Promise<Response>;
  /** The numbers of objects and of jobs. */
  objects(): Promise<number>;
  jobs(): Promise<number>;
}

export function useUploads(): Uploads {
  const product = useInProcessProduct();
  let ada: SignedInUser;
  beforeEach(async () => {
    ada = await product.signUp();
  });
  return {
    get product() {
      return product;
    },
    get ada() {
      return ada;
    },
    sendPdf: (bytes, { name = 'cv.pdf', note = 'hello', ...options } = {}) =>
      ada.call('/api/ai/probe-pdf', { body: form({ note, resume: { bytes, name } }), ...options }),
    objects: async () => (await product.sql(`SELECT key FROM objects`)).length,
    jobs: async () => (await product.sql(`SELECT id FROM jobs`)).length,
  };
}
