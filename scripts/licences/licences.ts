/**
 * `npm run licences`: checks the licences of all dependencies, writes a bill of materials, and looks for known holes.
 * Dependencies are those of package-lock.json, for every platform, tools of the tests and the build included: what the
 * web client is made of is among them, with its fonts and dictionaries.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { inRoot } from '../stack/root.ts';
import { CommandError, print, printError, styled } from '../stack/terminal.ts';
import { exceptions, judge, type LockedPackage } from './rules.ts';

const USAGE = `npm run licences -- [--only-licences] [--require-audit]
  --only-licences  writes no bill of materials and looks for no holes
  --require-audit  fails where the registry does not say which holes are known`;
const SBOM = 'dist/sbom.cdx.json';

interface LockEntry {
  name?: string;
  version?: string;
  license?: string;
}

try {
  const options = readOptions();
  checkLicences();
  if (!options.onlyLicences) {
    await writeBillOfMaterials();
    await findKnownHoles(options.requireAudit);
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

function readOptions() {
  try {
    const options = { 'only-licences': { type: 'boolean' }, 'require-audit': { type: 'boolean' } } as const;
    const { values } = parseArgs({ options });
    return {
      onlyLicences: values['only-licences'] ?? false,
      requireAudit: values['require-audit'] ?? false,
    };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${USAGE}`);
  }
}

function checkLicences(): void {
  const packages = readPackages();
  const judged = packages.map((one) => ({ ...one, judgement: judge(one) }));
  const refused = judged.filter(({ judgement }) => judgement === null);
  if (refused.length > 0) {
    const list = refused.map(
      ({ name, version, licence }) => `  ${name} ${version}: ${licence ?? 'none stated'}`,
    );
    throw new CommandError(`Licences that no rule of scripts/licences/rules.ts permits:\n${list.join('\n')}`);
  }
  const used = Map.groupBy(judged, ({ judgement }) => judgement!.exception);
  const unused = exceptions.filter((rule) => !used.has(rule));
  if (unused.length > 0)
    throw new CommandError(
      `Exceptions for no package: ${unused.map(({ packages: p }) => String(p)).join(', ')}`,
    );
  print(`${packages.length} packages, all under permissive licences but these:`);
  for (const rule of exceptions)
    print(
      `  ${rule.licence} × ${used.get(rule)!.length} ${styled('dim', `${String(rule.packages)}: ${rule.reason}`)}`,
    );
}

function readPackages(): LockedPackage[] {
  const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  return Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, { name, version = '', license }]) => ({
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? licenceOfOldForm(path),
    }));
}

/** `licenses: [{ type }]`, which npm does not copy into the lock file. */
function licenceOfOldForm(path: string): string | undefined {
  const text = readFileSync(inRoot(path, 'package.json'), 'utf8');
  const { licenses = [] } = JSON.parse(text) as { licenses?: { type: string }[] };
  return licenses.length > 0 ? licenses.map(({ type }) => type).join(' OR ') : undefined;
}

async function writeBillOfMaterials(): Promise<void> {
  const { stdout, failed, stderr } = await npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx');
  if (failed) throw new CommandError(`npm sbom failed:\n${stderr}`);
  mkdirSync(dirname(inRoot(SBOM)), { recursive: true });
  writeFileSync(inRoot(SBOM), `${stdout}\n`);
  const { components } = JSON.parse(stdout) as { components: object[] };
  print(`Bill of materials: ${SBOM}, CycloneDX, ${components.length} components.`);
}

interface Audit {
  /** Why there is no audit. */
  message?: string;
  metadata?: { vulnerabilities: Record<string, number> };
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
}

async function findKnownHoles(required: boolean): Promise<void> {
  const { stdout } = await npm('audit', '--json');
  const { message: reason = 'no answer', metadata, vulnerabilities = {} } = parse(stdout) as Audit;
  if (!metadata) {
    const message = `Known holes were NOT looked for: the registry does not answer npm audit (${reason}).`;
    if (required) throw new CommandError(message);
    return print(styled('yellow', message));
  }
  const holes = Object.values(vulnerabilities);
  if (holes.length > 0)
    throw new CommandError(
      `Known holes:\n${holes.map(({ name, severity, range }) => `  ${name} ${range}: ${severity}`).join('\n')}`,
    );
  print('No known hole in any package.');
}

function npm(...args: string[]) {
  return execa('npm', args, { cwd: inRoot(), reject: false });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
