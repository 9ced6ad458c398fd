/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { ListPart } from './list-part';

type Change = { isIntersecting: boolean };
let report: (changes: Change[]) => void;

beforeEach(() => {
  class FakeObserver {
    readonly #callback: (changes: object[]) => void;
    constructor(callback: (changes: object[]) => void) {
      this.#callback = callback;
    }
    observe(target: Element) {
      const entryOf = (change: Change) => ({
        ...change,
        target,
        intersectionRatio: Number(change.isIntersecting),
      });
      report = (changes) => act(() => this.#callback(changes.map(entryOf)));
    }
    unobserve() {}
    disconnect() {}
  }
  Object.assign(globalThis, { IntersectionObserver: FakeObserver });
});
afterEach(() => {
  delete (globalThis as { IntersectionObserver?: unknown }).IntersectionObserver;
});

const [far, near] = [{ isIntersecting: false }, { isIntersecting: true }];

describe('ListPart', () => {
  it('renders entries near the screen, by the latest of several reported changes', () => {
    render(
      <ListPart isFirst={false} estimatedHeight={77}>
        <p>Foxes</p>
      </ListPart>,
    );
    expect(screen.queryByText('Foxes')).toBeNull();
    report([near]);
    screen.getByText('Foxes');
    report([far, near]);
    screen.getByText('Foxes');
    report([near, far]);
    expect(screen.queryByText('Foxes')).toBeNull();
  });
});
