import { useId, useState } from 'react';
import { Tabs } from 'radix-ui';
import { checkFile } from '../../../shared/lib/check-file';
import { describedBy, FieldFrame } from '../../../shared/ui/field-frame';
import { RadioChips } from '../../../shared/ui/radio-chips';
import { RangeField } from '../../../shared/ui/range-field';
import { Select } from '../../../shared/ui/select';
import { Switch } from '../../../shared/ui/switch';
import { BackgroundFields } from './background-fields';
import { findSize, pictureSizes } from './picture-sizes';
import { defaultShadow, formatLabels, isFlattened, type CutOutSettings, type Shadow } from './settings';
import type { OpenedCutOut } from './use-composer';

const tabs = [
  { tab: 'background', label: 'Background' },
  { tab: 'shadow', label: 'Shadow' },
  { tab: 'frame', label: 'Frame' },
  { tab: 'format', label: 'Format' },
] as const;

interface FieldsProps {
  settings: CutOutSettings;
  change: (change: Partial<CutOutSettings>) => void;
}

interface CompositionFieldsProps extends FieldsProps {
  /** The cut-out in the preview, which also checks a chosen background picture. */
  opened: OpenedCutOut;
  /** The background picture that the user chose. */
  picture: File | null;
  onPicture: (picture: File) => void;
}

/** Fields for background, shadow, frame, size and format of cut-outs. */
export function CompositionFields(props: CompositionFieldsProps) {
  const { settings, change, opened, picture, onPicture } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const choosePicture = async (file: File) => {
    const wrong = checkFile('picture', file);
    setProblem(wrong);
    if (wrong !== null) return;
    try {
      await opened.composer.ask<'picture'>({ kind: 'picture', picture: file });
      onPicture(file);
      change({ background: 'picture' });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const chooseSize = (id: string) => {
    const size = findSize(id);
    if (size === undefined) return change({ size: '' });
    const { margin, background: asked } = size;
    change({
      ...{ size: id, framing: 'subject', margin },
      ...(asked !== undefined && { background: 'colour', colour: asked }),
    });
  };
  return (
    <Tabs.Root defaultValue="background" className="min-h-60">
      <Tabs.List aria-label="Cut-out settings" className="flex flex-wrap border-b border-line">
        {tabs.map(({ tab, label }) => (
          <Tabs.Trigger
            key={tab}
            value={tab}
            className="-mb-px min-h-11 border-b-2 border-[transparent] px-2 @xs:px-3 text-sm font-semibold text-quiet transition-colors duration-150 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="background" className="pt-5">
        <BackgroundFields
          settings={settings}
          change={change}
          canBlur={opened.canBlur}
          picture={picture}
          problem={problem}
          onPicture={(file) => void choosePicture(file)}
        />
      </Tabs.Content>
      <Tabs.Content value="shadow" className="pt-5">
        <ShadowFields shadow={settings.shadow} onChange={(shadow) => change({ shadow })} />
      </Tabs.Content>
      <Tabs.Content value="frame" className="pt-5">
        <FrameFields settings={settings} change={change} onSize={chooseSize} />
      </Tabs.Content>
      <Tabs.Content value="format" className="pt-5">
        <FormatFields settings={settings} change={change} canEncodeWebp={opened.canEncodeWebp} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

function ShadowFields({
  shadow,
  onChange,
}: {
  shadow: Shadow | null;
  onChange: (shadow: Shadow | null) => void;
}) {
  return (
    <div className="grid gap-3">
      <Switch
        label="Soft shadow"
        checked={shadow !== null}
        onChange={(on) => onChange(on ? defaultShadow : null)}
      />
      {shadow !== null && (
        <div className="grid grid-cols-2 gap-x-4">
          {(
            [
              ['Right', 'x', -20, 20],
              ['Down', 'y', -20, 20],
              ['Softness', 'blur', 1, 20],
              ['Strength', 'strength', 5, 100],
            ] as const
          ).map(([label, field, min, max]) => (
            <RangeField
              key={field}
              label={label}
              min={min}
              max={max}
              value={shadow[field]}
              text={`${shadow[field]} %`}
              onChange={(value) => onChange({ ...shadow, [field]: value })}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function FrameFields({ settings, change, onSize }: FieldsProps & { onSize: (id: string) => void }) {
  const { framing, margin, size } = settings;
  const id = useId();
  return (
    <div className="grid gap-4">
      <RadioChips
        legend="Frame"
        name="framing"
        value={framing}
        options={[
          { value: 'whole', label: 'Original' },
          { value: 'subject', label: 'Crop to subject' },
        ]}
        onChange={(next) => change({ framing: next })}
      />
      {framing === 'subject' && (
        <RangeField
          label="Margin"
          min={0}
          max={40}
          value={margin}
          text={`${margin} %`}
          onChange={(next) => change({ margin: next })}
        />
      )}
      <FieldFrame id={id} label="Size" hint={findSize(size)?.hint}>
        <Select
          id={id}
          value={size}
          aria-describedby={describedBy(id, findSize(size)?.hint, undefined)}
          onChange={({ currentTarget }) => onSize(currentTarget.value)}
        >
          <option value="">Original size</option>
          {pictureSizes.map(({ group, sizes }) => (
            <optgroup key={group} label={group}>
              {sizes.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.label} ({one.width} × {one.height})
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </FieldFrame>
    </div>
  );
}

function FormatFields({ settings, change, canEncodeWebp }: FieldsProps & { canEncodeWebp: boolean }) {
  const { format, quality } = settings;
  const formats = (['png', 'webp', 'jpeg'] as const).filter((one) => one !== 'webp' || canEncodeWebp);
  return (
    <div className="grid gap-4">
      <RadioChips
        legend="Format"
        name="format"
        value={format}
        options={formats.map((value) => ({ value, label: formatLabels[value] }))}
        onChange={(next) => change({ format: next })}
      />
      {format !== 'png' && (
        <RangeField
          label="Quality"
          min={40}
          max={100}
          value={quality}
          text={`${quality} %`}
          onChange={(next) => change({ quality: next })}
        />
      )}
      {isFlattened(settings) && (
        <p className="-mt-2 text-sm text-quiet">JPEG has no transparency: the background becomes white.</p>
      )}
    </div>
  );
}
