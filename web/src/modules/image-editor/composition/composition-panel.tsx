import { useId, useState, type ReactNode } from 'react';
import toast from 'react-hot-toast';
import { Tabs } from 'radix-ui';
import { Download } from 'lucide-react';
import { IMAGE_MAX_BYTES } from '#libs/contract/limits.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import type { Creation } from '#libs/contract/creations.js';
import { useCreation } from '../../creations/api/creation-pages';
import { checkFile } from '../../../shared/lib/check-file';
import { saveFile } from '../../../shared/lib/save-file';
import { Button } from '../../../shared/ui/button';
import { describedBy, FieldFrame } from '../../../shared/ui/field-frame';
import { Notice } from '../../../shared/ui/notice';
import { RadioChips } from '../../../shared/ui/radio-chips';
import { RangeField } from '../../../shared/ui/range-field';
import { Select } from '../../../shared/ui/select';
import { Loading } from '../../../shared/ui/spinner';
import { Switch } from '../../../shared/ui/switch';
import { showUndo } from '../../../shared/ui/undo-toast';
import { useRestoreVersion, useSaveVersion } from '../../creations/versions/versions';
import { useOriginal } from '../../submission/files/use-original';
import { downloadName, toNamePart } from '../../creations/download-name';
import { BackgroundFields } from './background-fields';
import { encodeForServer, encodePicture } from './encode';
import { findSize, pictureSizes } from './picture-sizes';
import { Preview } from './preview';
import {
  defaultSettings,
  defaultShadow,
  describeSettings,
  extensions,
  isFlattened,
  mediaTypes,
  type CutOutSettings,
  type PictureFormat,
  type Shadow,
} from './settings';
import { useComposer, type OpenedCutOut } from './use-composer';

interface CompositionPanelProps {
  creationId: string;
  /** The version from which the composition is made. */
  cutOut: CreationVersion;
  /** ID of the version that the page shows. */
  current: string;
  /** Prefix of the names of downloaded files. */
  fileName: string;
}

/** The user's settings and background picture. They stay when the user saves another version of the cut-out. */
interface Choices {
  settings: CutOutSettings;
  change: (change: Partial<CutOutSettings>) => void;
  picture: File | null;
  onPicture: (picture: File) => void;
}

/** Fields for background, shadow, crop, size and format of a cut-out. The browser, not the server, composes the image. */
export default function CompositionPanel(props: CompositionPanelProps) {
  const creation = useCreation(props.creationId);
  const [settings, setSettings] = useState<CutOutSettings>(defaultSettings);
  const [picture, setPicture] = useState<File | null>(null);
  const change: Choices['change'] = (changed) => setSettings((before) => ({ ...before, ...changed }));
  const choices = { settings, change, picture, onPicture: setPicture };
  if (creation.data !== undefined) return <OpenCutOut {...props} {...choices} creation={creation.data} />;
  if (creation.isError)
    return (
      <Notice tone="danger" title="The cut-out could not be opened">
        {creation.error.message}
      </Notice>
    );
  return <Opening />;
}

const Opening = () => <Loading label="Opening the cut-out" />;

function OpenCutOut({ creation, ...props }: CompositionPanelProps & Choices & { creation: Creation }) {
  const opened = useComposer(props.cutOut.content, useOriginal(creation), props.picture);
  if (opened === null) return <Opening />;
  if (opened instanceof Error) {
    return (
      <Notice tone="danger" title="The cut-out could not be opened">
        {opened.message}
      </Notice>
    );
  }
  return <Composition {...props} opened={opened} />;
}

const tabs = [
  { tab: 'background', label: 'Background' },
  { tab: 'shadow', label: 'Shadow' },
  { tab: 'frame', label: 'Frame' },
  { tab: 'format', label: 'Format' },
] as const;

function Composition({
  creationId,
  current,
  fileName,
  opened,
  settings,
  change,
  picture,
  onPicture,
}: CompositionPanelProps & Choices & { opened: OpenedCutOut }) {
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
    <div className="grid gap-6 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        <Preview opened={opened} settings={settings} picture={picture} />
      </div>
      <div className="grid min-w-0 grid-cols-1 content-start gap-6">
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
        <Actions {...{ creationId, current, fileName, opened, settings }}>
          <Button variant="quiet" size="small" onClick={() => change(defaultSettings)}>
            Start over
          </Button>
        </Actions>
      </div>
    </div>
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

interface FieldsProps {
  settings: CutOutSettings;
  change: (change: Partial<CutOutSettings>) => void;
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

const formatLabels: Record<PictureFormat, string> = { png: 'PNG', webp: 'WebP', jpeg: 'JPEG' };

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

interface ActionsProps extends Pick<CompositionPanelProps, 'creationId' | 'current' | 'fileName'> {
  opened: OpenedCutOut;
  settings: CutOutSettings;
  children: ReactNode;
}

function Actions({ creationId, current, fileName, opened, settings, children }: ActionsProps) {
  const save = useSaveVersion(creationId);
  const restore = useRestoreVersion(creationId);
  const creation = useCreation(creationId).data;
  const [working, setWorking] = useState<'save' | 'download' | null>(null);

  const work = async (what: 'save' | 'download', run: () => Promise<void>) => {
    setWorking(what);
    try {
      await run();
    } catch (error) {
      toast.error((error as Error).message);
    } finally {
      setWorking(null);
    }
  };
  const download = () =>
    work('download', async () => {
      const picture = await encodePicture(opened, settings);
      const change = toNamePart(describeSettings(settings));
      saveFile(picture, downloadName(creation, fileName, extensions[settings.format], change));
    });
  const saveVersion = () =>
    work('save', async () => {
      const image = await encodeForServer(opened, settings);
      await save.mutateAsync({ image, label: describeSettings(settings), base: current });
      const isOther = image.type !== mediaTypes[settings.format];
      const text = isOther
        ? `Saved as WebP: as ${formatLabels[settings.format]} it is larger than ${IMAGE_MAX_BYTES / 1024 / 1024} MB`
        : 'Version saved';
      showUndo(text, () =>
        restore.mutate(current, {
          onSuccess: () => toast.success('Earlier version restored'),
          onError: (error) => toast.error(error.message),
        }),
      );
    });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="primary"
        busy={working === 'save'}
        waiting={working === 'download'}
        onClick={() => void saveVersion()}
      >
        Save version
      </Button>
      <Button busy={working === 'download'} waiting={working === 'save'} onClick={() => void download()}>
        {working !== 'download' && <Download aria-hidden="true" className="size-4" />}
        Download image
      </Button>
      {children}
    </div>
  );
}
