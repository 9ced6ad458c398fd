import { describe, expect, it } from '@jest/globals';
import { folderCycles } from './folder-cycles.ts';

describe('Cycles between folders', () => {
  it('do not exist if imports go one way', () => {
    expect(
      folderCycles([
        ['api/jobs', 'libs/jobs'],
        ['libs/jobs', 'libs/queue'],
        ['api/jobs', 'libs/queue'],
      ]),
    ).toEqual([]);
  });

  it('are found over several folders', () => {
    expect(
      folderCycles([
        ['libs/ai', 'libs/images'],
        ['libs/images', 'libs/tools'],
        ['libs/tools', 'libs/ai'],
      ]),
    ).toEqual([['libs/ai', 'libs/images', 'libs/tools']]);
  });

  it('are found between parents whose subfolders import each other', () => {
    expect(
      folderCycles([
        ['libs/a/x', 'libs/b/x'],
        ['libs/b/y', 'libs/a/y'],
      ]),
    ).toEqual([['libs/a', 'libs/b']]);
  });

  it('are found between a folder and its own subfolder', () => {
    expect(
      folderCycles([
        ['libs/a', 'libs/a/x'],
        ['libs/a/x', 'libs/a'],
      ]),
    ).toEqual([['libs/a', 'libs/a/x']]);
  });
});
