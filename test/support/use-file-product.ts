import { afterAll, beforeAll } from '@jest/globals';
import { startFileProduct, type FileProduct } from './file-product.ts';

/** Starts the product before the tests of a file or a group, and stops it after them. */
export function useFileProduct(variables: Record<string, string> = {}): FileProduct {
  let product: FileProduct | undefined;
  beforeAll(async () => {
    product = await startFileProduct(variables);
  });
  afterAll(() => product?.stop());
  return new Proxy({} as FileProduct, {
    get: (_, name) => {
      if (!product) throw new Error('The product is used before it has started.');
      return Reflect.get(product, name) as unknown;
    },
  });
}
