import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { previewRoutes } from '#libs/contract/routes/previews.js';
import type { MaskPreview } from '#libs/contract/object-mask.js';
import type { Creation } from '#libs/contract/creations.js';
import { call } from '../../../shared/http/call';
import { imageOf } from '../../../modules/submission/files/use-file-choice';
import { useHttp } from '../../../shared/account/use-http';
import type { FoundPixels } from '../../../modules/image-editor/mask-editor/mask-document';
import { runMaskWorker } from '../../../modules/image-editor/mask-editor/run-mask-worker';
import type { Point } from '../../../modules/image-editor/mask-editor/rect';

export interface FoundMask {
  preview: MaskPreview;
  pixels: FoundPixels;
}

/** Index of the chosen object, or `all` found objects. */
export type Choice = number | 'all';

interface Search {
  file: File;
  name: string;
  choice: Choice;
  /** A point inside the chosen object, in fractions of the image's width and height. */
  place: Point | undefined;
  /** True to search at `place` instead of by name. */
  clicked: boolean;
}

export interface MaskSearch {
  found: FoundMask | null;
  /** The current choice or, during a search, the requested choice. */
  choice: Choice;
  searching: boolean;
  /** The clicked point; null if the search was by name. */
  clickedAt: Point | null;
  problem: Error | null;
  search: (object: string) => void;
  choose: (choice: Choice) => void;
  /** Searches for the object at a point, in fractions of the image's width and height. */
  searchAt: (place: Point) => void;
  clear: () => void;
}

/**
 * Searches for the mask of a named or clicked object. A change of `image` or `object` cancels the search and clears its
 * result.
 * @param source the creation that `image` belongs to; null if the user chose a file
 */
export function useFoundMask(image: File | null, source: Creation | null, object: string): MaskSearch {
  const http = useHttp();
  const [found, setFound] = useState<(FoundMask & { of: string }) | null>(null);
  const running = useRef<AbortController>(null);
  const preview = useMutation({
    mutationFn: async ({ file, name, place, clicked }: Search) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const body = new FormData();
      if (!clicked) body.append('object', name);
      if (place !== undefined) {
        body.append('x', String(place.x));
        body.append('y', String(place.y));
      }
      const { input, files } = imageOf(file, source);
      for (const [field, value] of Object.entries({ ...input, ...files })) body.append(field, value);
      const { signal } = controller;
      const answer = await call(http, previewRoutes.previewObjectMask, { body, signal });
      const pixels = await runMaskWorker({ kind: 'read-mask', png: fromDataUrl(answer.mask) });
      signal.throwIfAborted();
      const clickedName = clicked ? answer.objects.find(({ chosen }) => chosen)?.name : undefined;
      setFound({ preview: answer, pixels: { ...pixels, name, clicked: clickedName }, of: name });
    },
  });
  const { reset } = preview;
  const clear = () => {
    running.current?.abort();
    reset();
    setFound(null);
  };

  useEffect(
    () => () => {
      running.current?.abort();
      reset();
      setFound(null);
    },
    [image, object, reset],
  );

  const current = found !== null && found.of === object ? found : null;
  const search = (name: string, choice: Choice) => {
    const box = choice === 'all' ? undefined : current?.preview.objects[choice]?.box;
    const place = box && { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    if (image !== null) preview.mutate({ file: image, name, choice, place, clicked: false });
  };
  const searchAt = (place: Point) =>
    image !== null && preview.mutate({ file: image, name: object, choice: 'all', place, clicked: true });
  return {
    found: current,
    choice: preview.isPending
      ? preview.variables.choice
      : current === null
        ? 'all'
        : chosenIn(current.preview),
    searching: preview.isPending,
    clickedAt: preview.variables?.clicked === true ? (preview.variables.place ?? null) : null,
    problem: preview.error,
    search: (name) => search(name, 'all'),
    choose: (choice) => search(object, choice),
    searchAt,
    clear,
  };
}

export function chosenIn({ objects }: MaskPreview): Choice {
  const index = objects.findIndex(({ chosen }) => chosen);
  return objects.every(({ chosen }) => chosen) ? 'all' : index;
}

/** Decodes a data URL by hand, since the content security policy forbids to fetch data URLs. */
function fromDataUrl(url: string): Blob {
  const binary = atob(url.slice(url.indexOf(',') + 1));
  return new Blob([Uint8Array.from(binary, (letter) => letter.charCodeAt(0))]);
}
