import { beforeEach, jest } from '@jest/globals';
import type { ComposerRequest } from '../../web/src/modules/image-editor/composition/composer';

type Message = ComposerRequest & { id: number };

/** Replaces the worker that composes pictures. Returns the list of the requests that it received in this test. */
export function fakeComposer(): readonly Message[] {
  const asked: Message[] = [];

  class FakeWorker extends EventTarget {
    postMessage(request: Message) {
      asked.push(request);
      const answers = {
        open: { size: { width: 400, height: 300 }, subject: null, canBlur: false, canEncodeWebp: true },
        picture: { width: 10, height: 10 },
        preview: { width: 4, height: 3, close: () => undefined },
        encode: new Blob(['picture'], {
          type: request.kind === 'encode' ? `image/${request.settings.format}` : '',
        }),
      };
      const data = { id: request.id, answer: answers[request.kind] };
      queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
    }
    terminate() {
      return undefined;
    }
  }

  beforeEach(() => {
    asked.length = 0;
    Object.assign(globalThis, { Worker: FakeWorker, OffscreenCanvas: FakeWorker });
    jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  });
  return asked;
}
