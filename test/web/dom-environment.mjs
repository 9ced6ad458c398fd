import { TestEnvironment } from 'jest-environment-jsdom';

const { fetch, Response, Headers, TextEncoder, TextDecoder, structuredClone } = globalThis;

/** jsdom with what it lacks and the client's components need. */
export default class DomEnvironment extends TestEnvironment {
  constructor(...options) {
    super(...options);
    const { window } = this.dom;
    Object.assign(this.global, { fetch, Response, Headers, TextEncoder, TextDecoder, structuredClone });
    window.matchMedia = (query) => ({
      matches: false,
      media: query,
      addEventListener() {},
      removeEventListener() {},
    });
    window.Blob.prototype.arrayBuffer = function read() {
      return new Promise((resolve, reject) => {
        const reader = new window.FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsArrayBuffer(this);
      });
    };
    window.ResizeObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
    // jsdom has no layout: nothing has a position.
    window.Range.prototype.getClientRects = () => [];
    window.Range.prototype.getBoundingClientRect = () => new window.DOMRect();
    window.Element.prototype.scrollIntoView = () => {};
    window.scrollTo = () => {};
    window.URL.createObjectURL = () => 'blob:test';
    window.URL.revokeObjectURL = () => {};
  }
}
