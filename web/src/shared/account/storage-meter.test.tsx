/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../test/web/render-in-app';
import { StorageMeter } from './storage-meter';

const MB = 1024 * 1024;
const show = (used: number, limit: number) =>
  renderInApp(<StorageMeter account={{ storage: { used, limit } }} />);

describe('the storage meter', () => {
  it('describes its value in words', () => {
    show(12.34 * MB, 100 * MB);
    const meter = screen.getByRole('meter', { name: 'Storage' });
    expect(meter.getAttribute('aria-valuetext')).toBe('12.4 MB of 100 MB used');
    expect(screen.getByText('12.4 MB of 100 MB used')).toBeTruthy();
    expect(screen.queryByText(/room/)).toBeNull();
  });

  it('says what to do when there is little room, and when there is none', () => {
    const { unmount } = show(1_900 * MB, 2_000 * MB);
    expect(screen.getByText('1.9 GB of 2 GB used')).toBeTruthy();
    expect(screen.getByText(/storage is almost full.*Delete creations/)).toBeTruthy();
    unmount();
    show(120 * MB, 100 * MB);
    expect(screen.getByText(/storage is full/)).toBeTruthy();
    expect(screen.getByRole('meter').getAttribute('aria-valuenow')).toBe(String(100 * MB));
  });

  it('names limits that an operator gave for a time', () => {
    const limits = { unfinishedJobs: 1_500, storageBytes: 5_000 * MB, until: '2026-12-31T12:00:00.000Z' };
    renderInApp(<StorageMeter account={{ storage: { used: 0, limit: 5_000 * MB }, limits }} />);
    expect(
      screen.getByText('Until December 31, you may have 1,500 unfinished jobs and 5 GB of storage.'),
    ).toBeTruthy();
  });
});
