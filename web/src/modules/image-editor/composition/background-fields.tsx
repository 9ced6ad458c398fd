import { useId } from 'react';
import clsx from 'clsx';
import { ImagePlus } from 'lucide-react';
import { Button } from '../../../shared/ui/button';
import { RadioChips } from '../../../shared/ui/radio-chips';
import { RangeField } from '../../../shared/ui/range-field';
import { useFilePicker } from '../../submission/files/use-file-picker';
import { swatches, type CutOutSettings } from './settings';

interface BackgroundFieldsProps {
  settings: CutOutSettings;
  change: (change: Partial<CutOutSettings>) => void;
  /** True if this device has the original image, which the blurred background needs. */
  canBlur: boolean;
  /** The background picture that the user chose; null if none. */
  picture: File | null;
  problem: string | null;
  onPicture: (file: File) => void;
}

export function BackgroundFields(props: BackgroundFieldsProps) {
  const { settings, change, canBlur, picture, problem, onPicture } = props;
  const { background, colour, blur } = settings;
  const picker = useFilePicker({ kind: 'picture', onPick: onPicture });
  return (
    <div className="grid gap-4" {...picker.areaProps}>
      <RadioChips
        legend="Background"
        name="background"
        value={background}
        options={[
          { value: 'transparent', label: 'Transparent' },
          { value: 'colour', label: 'Colour' },
          ...(canBlur ? [{ value: 'blur', label: 'Blurred original' } as const] : []),
          { value: 'picture', label: 'Your picture' },
        ]}
        onChange={(next) => change({ background: next })}
      />
      {!canBlur && (
        <p className="text-sm text-quiet">The original is no longer stored, so it cannot be blurred.</p>
      )}
      {background === 'colour' && (
        <ColourField colour={colour} onChange={(next) => change({ colour: next })} />
      )}
      {background === 'blur' && (
        <RangeField
          label="Blur of the original"
          min={1}
          max={10}
          value={blur}
          text={`${blur} %`}
          onChange={(next) => change({ blur: next })}
        />
      )}
      {background === 'picture' && (
        <div className="flex flex-wrap items-center gap-3">
          <input
            {...picker.inputProps}
            aria-label="Picture for the background"
            className="sr-only"
            tabIndex={-1}
          />
          <Button size="small" onClick={picker.open}>
            <ImagePlus aria-hidden="true" className="size-4" />
            {picture === null ? 'Choose picture' : 'Choose another'}
          </Button>
          {picture !== null && (
            <span className="min-w-0 flex-1 truncate text-sm text-quiet">{picture.name}</span>
          )}
        </div>
      )}
      {problem !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}

function ColourField({ colour, onChange }: { colour: string; onChange: (colour: string) => void }) {
  const id = useId();
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Background colour</legend>
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        {swatches.map((swatch) => (
          <label
            key={swatch.colour}
            title={swatch.label}
            className={clsx(
              'relative grid size-11 place-items-center rounded-control border-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-live',
              colour === swatch.colour ? 'border-ink' : 'border-[transparent]',
            )}
          >
            <input
              type="radio"
              name={`${id}-colour`}
              checked={colour === swatch.colour}
              aria-label={swatch.label}
              onChange={() => onChange(swatch.colour)}
              className="absolute size-px opacity-0"
            />
            <span
              aria-hidden="true"
              className="size-7 rounded-full border border-edge"
              style={{ background: swatch.colour }}
            />
          </label>
        ))}
        <label htmlFor={id} className="ml-1 flex min-h-11 items-center gap-2 text-sm">
          Other
          <input
            id={id}
            type="color"
            value={colour}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            className="h-9 w-11 cursor-pointer rounded-control border border-edge bg-page p-1"
          />
        </label>
      </div>
    </fieldset>
  );
}
