import { useState } from 'react';
import {
  Brush,
  Contrast,
  Droplet,
  Eraser,
  Grid2x2,
  Keyboard,
  Minus,
  MousePointerClick,
  Plus,
  Redo2,
  RotateCcw,
  SquareDashed,
  SquareSplitHorizontal,
  Undo2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { Button } from '../../../shared/ui/button';
import { IconButton } from '../../../shared/ui/icon-button';
import { RangeField } from '../../../shared/ui/range-field';
import { diameterOf, type EditorSettings } from './editor-settings';
import type { MaskDocument } from './mask-document';
import type { MaskPurpose } from './mask-style';
import { ToolRadios } from './tool-radios';
import type { Pane } from './use-pane';

interface MaskBarProps {
  mask: MaskDocument;
  purpose: MaskPurpose;
  pane: Pane;
  settings: EditorSettings;
  onChange: (changes: Partial<EditorSettings>) => void;
  canAdd: boolean;
  canPoint: boolean;
}

export function MaskBar(props: MaskBarProps) {
  const { mask, purpose, pane, settings, onChange, canAdd, canPoint } = props;
  const [showsKeys, setShowsKeys] = useState(false);
  const diameter = diameterOf(settings.size, mask);
  return (
    // Stops Enter in a field from submitting the surrounding form.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="grid gap-3"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ToolRadios
          legend="Brush mode"
          value={settings.adds ? 'add' : 'erase'}
          options={
            purpose === 'remove'
              ? [
                  { value: 'add', label: 'Add', icon: Plus, key: 'K' },
                  { value: 'erase', label: 'Erase', icon: Minus, key: 'E' },
                ]
              : [
                  { value: 'add', label: 'Keep', icon: Plus, key: 'K', disabled: !canAdd },
                  { value: 'erase', label: 'Erase', icon: Eraser, key: 'E' },
                ]
          }
          onChange={(value) => onChange({ adds: value === 'add' })}
        />
        <ToolRadios
          legend="Tool"
          value={settings.shape}
          options={[
            { value: 'brush', label: 'Brush', icon: Brush, key: 'B' },
            { value: 'box', label: 'Box', icon: SquareDashed, key: 'R' },
            ...(canPoint
              ? [{ value: 'point' as const, label: 'Click', icon: MousePointerClick, key: 'P' }]
              : []),
          ]}
          onChange={(shape) => onChange({ shape })}
        />
        <div className="flex gap-1">
          <IconButton
            label="Undo"
            keys="Ctrl+Z"
            icon={Undo2}
            disabled={!mask.canUndo}
            onClick={() => mask.undo()}
          />
          <IconButton
            label="Redo"
            keys="Ctrl+Y"
            icon={Redo2}
            disabled={!mask.canRedo}
            onClick={() => mask.redo()}
          />
          <Button size="small" variant="quiet" title="Clear (Delete)" onClick={() => mask.reset()}>
            <RotateCcw aria-hidden="true" className="size-4" />
            {mask.initial === null ? 'Clear' : 'Start over'}
          </Button>
        </div>
      </div>
      <div className="grid gap-x-6 gap-y-1 @lg:grid-cols-2">
        <RangeField
          inline
          label="Brush size"
          value={settings.size}
          text={`${diameter} pixels`}
          displayText={`${diameter} px`}
          onChange={(size) => onChange({ size })}
        />
        <RangeField
          inline
          label="Hardness"
          value={settings.hardness}
          text={`${settings.hardness} percent`}
          displayText={`${settings.hardness}%`}
          onChange={(hardness) => onChange({ hardness })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <ToolRadios
          legend="Mask view"
          value={settings.maskStyle}
          options={[
            { value: 'red', label: 'Red', icon: Droplet },
            { value: 'checkerboard', label: 'Checker', icon: Grid2x2 },
            { value: 'black-and-white', label: 'B/W', icon: Contrast },
          ]}
          onChange={(maskStyle) => onChange({ maskStyle, before: false })}
        />
        <Button
          size="small"
          aria-pressed={settings.before}
          title="Show without mask (C)"
          onClick={() => onChange({ before: !settings.before })}
          className="aria-pressed:bg-ink aria-pressed:text-page"
        >
          <SquareSplitHorizontal aria-hidden="true" className="size-4" />
          Before
        </Button>
        <div className="flex items-center gap-1">
          <IconButton
            label="Zoom out"
            keys="−"
            icon={ZoomOut}
            disabled={pane.fitted}
            onClick={() => pane.zoom(1 / 1.5)}
          />
          <Button size="small" variant="quiet" title="Fit to view (0)" onClick={pane.fit} className="px-1!">
            <span className="w-11 text-center font-mono text-xs">{Math.round(pane.view.scale * 100)}%</span>
            <span className="sr-only">, fit to view</span>
          </Button>
          <IconButton label="Zoom in" keys="+" icon={ZoomIn} onClick={() => pane.zoom(1.5)} />
        </div>
        <Button
          size="small"
          variant="quiet"
          aria-expanded={showsKeys}
          onClick={() => setShowsKeys(!showsKeys)}
          className="ml-auto"
        >
          <Keyboard aria-hidden="true" className="size-4" />
          Shortcuts
        </Button>
      </div>
      {showsKeys && <KeyList canPoint={canPoint} purpose={purpose} />}
    </div>
  );
}

function KeyList({ canPoint, purpose }: { canPoint: boolean; purpose: MaskPurpose }) {
  const keys = [
    ['Arrows', 'Move the brush'],
    ['Space, Enter', canPoint ? 'Paint, set a corner, or select' : 'Paint or set a corner'],
    ['Shift + arrows', 'Paint while moving'],
    ['[ and ]', 'Brush size'],
    ['{ and }', 'Hardness'],
    ['K, E', purpose === 'remove' ? 'Add, erase' : 'Keep, erase'],
    ['B, R', 'Brush, box'],
    ...(canPoint ? [['P', 'Click an object']] : []),
    ['Ctrl + Z, Y', 'Undo, redo'],
    ['Delete', 'Clear'],
    ['+, −, 0, 1', 'Zoom in, out, fit, 100%'],
    ['W A S D', 'Pan'],
    ['Space + drag', 'Pan'],
    ['M, C', 'Change mask view, hide mask'],
  ] as const;
  return (
    <dl className="grid animate-fade grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-x-6 gap-y-1 rounded-control bg-sunken p-3 text-sm">
      {keys.map(([key, meaning]) => (
        <div key={key} className="flex gap-3">
          <dt className="w-32 shrink-0 font-mono text-xs leading-5">{key}</dt>
          <dd className="text-quiet">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
