import { useState } from 'react';
import { z } from 'zod';
import { drafts } from '../../../shared/drafts/drafts';
import { strokeSchema, type Stroke } from './mask';

const DRAFT = 'remove-object-painting';
const draftSchema = z.object({ image: z.string(), strokes: z.array(strokeSchema) });

/** One and the same list, so that its mask is made once. */
const NOTHING: readonly Stroke[] = [];

export interface Painting {
  strokes: readonly Stroke[];
  add: (stroke: Stroke) => void;
  undo: () => void;
  clear: () => void;
}

/** The strokes painted over an image, kept over a reload. */
export function usePainting(image: File | null): Painting {
  const name = image === null ? null : `${image.name} ${image.size} ${image.lastModified}`;
  const [painting, setPainting] = useState(() => draftSchema.safeParse(drafts.read(DRAFT)).data ?? null);
  const strokes = painting !== null && painting.image === name ? painting.strokes : NOTHING;
  const change = (next: Stroke[]) => {
    if (name === null) return;
    const changed = { image: name, strokes: next };
    setPainting(changed);
    drafts.write(DRAFT, changed);
  };
  return {
    strokes,
    add: (stroke) => change([...strokes, stroke]),
    undo: () => change(strokes.slice(0, -1)),
    clear: () => change([]),
  };
}
