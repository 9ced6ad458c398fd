import type { Frame } from '../studio.js';
import type { Random } from '../random.js';
import type { Scene } from '../themes.js';

/** A way to paint a scene: composition, colours, line and texture of its own. Returns a whole SVG. */
export type Painter = (scene: Scene, random: Random, frame: Frame) => string;
