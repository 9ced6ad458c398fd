import { useState, type ReactNode } from 'react';
import toast from 'react-hot-toast';
import { Download } from 'lucide-react';
import { IMAGE_MAX_BYTES } from '#libs/contract/limits.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import type { Creation } from '#libs/contract/creations.js';
import { useCreation } from '../../creations/api/creation-pages';
import { saveFile } from '../../../shared/lib/save-file';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';
import { showUndo } from '../../../shared/ui/undo-toast';
import { useRestoreVersion, useSaveVersion } from '../../creations/versions/versions';
import { useOriginal } from '../../submission/files/use-original';
import { downloadName, toNamePart } from '../../creations/download-name';
import { CompositionFields } from './composition-fields';
import { encodeForServer, encodePicture } from './encode';
import { Preview } from './preview';
import {
  defaultSettings,
  describeSettings,
  extensions,
  formatLabels,
  mediaTypes,
  type CutOutSettings,
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
  const opened = useComposer(props.cutOut.content!, useOriginal(creation), props.picture);
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
  return (
    <div className="grid gap-6 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        <Preview opened={opened} settings={settings} picture={picture} />
      </div>
      <div className="grid min-w-0 grid-cols-1 content-start gap-6">
        <CompositionFields
          settings={settings}
          change={change}
          opened={opened}
          picture={picture}
          onPicture={onPicture}
        />
        <Actions {...{ creationId, current, fileName, opened, settings }}>
          <Button variant="quiet" size="small" onClick={() => change(defaultSettings)}>
            Start over
          </Button>
        </Actions>
      </div>
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
