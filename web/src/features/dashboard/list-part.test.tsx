/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { ListPart } from './list-part';

type Report = (changes: { isIntersecting: boolean }[]) => void;
let report: Report;

beforeEach(() => {
  class FakeObserver {
    constructor(callback: Report) {
      report = (changes) => act(() => callback(changes));
    }
    observe() {}
    disconnect() {}
  }
  Object.assign(globalThis, { IntersectionObserver: FakeObserver });
});
afterEach(() => {
  delete (globalThis as { IntersectionObserver?: unknown }).IntersectionObserver;
});

const [far, near] = [{ isIntersecting: false }, { isIntersecting: true }];

describe('ListPart', () => {
  it('renders what is near the screen, by the latest of several changes that the browser reports at once', () => {
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
