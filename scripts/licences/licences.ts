/**
 * `npm run licences`: checks the licences of all dependencies, writes a bill of materials, and reports known
 * vulnerabilities. It reads package-lock.json: dependencies of every platform, including tools for tests and build.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { inRoot } from '../stack/root.ts';
import { CommandError, print, printError, styled } from '../stack/terminal.ts';
import { exceptions, judge, type LicensedPackage } from './rules.ts';

const USAGE = `npm run licences -- [--only-licences] [--require-audit]
  --only-licences  writes no bill of materials and looks for no vulnerabilities
  --require-audit  fails when the registry does not report known vulnerabilities`;
const SBOM = 'dist/sbom.cdx.json';

/** The parts of a CycloneDX document that are read here. */
interface BillOfMaterials {
  components: {
    name: string;
    version: string;
    licenses?: { license?: { id: string }; expression?: string }[];
  }[];
}

try {
  const options = readOptions();
  const billOfMaterials = await readBillOfMaterials();
  checkLicences(billOfMaterials);
  if (!options['only-licences']) {
    mkdirSync(dirname(inRoot(SBOM)), { recursive: true });
    writeFileSync(inRoot(SBOM), `${JSON.stringify(billOfMaterials, null, 2)}\n`);
    print(`Bill of materials: ${SBOM}, CycloneDX, ${billOfMaterials.components.length} components.`);
    await audit(options['require-audit'] ?? false);
  }
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

function readOptions() {
  try {
    const options = { 'only-licences': { type: 'boolean' }, 'require-audit': { type: 'boolean' } } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Reads package-lock.json through npm, without a network. */
async function readBillOfMaterials(): Promise<BillOfMaterials> {
  const { stdout, failed, stderr } = await npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx');
  if (failed) throw new CommandError(`npm sbom failed:\n${stderr}`);
  return JSON.parse(stdout) as BillOfMaterials;
}

function checkLicences({ components }: BillOfMaterials): void {
  const judged = components.map(({ name, version, licenses = [] }) => {
    const licence =
      licenses.map(({ license, expression }) => expression ?? license?.id).join(' AND ') || undefined;
    const licensed: LicensedPackage = { name, version, licence };
    return { ...licensed, judgement: judge(licensed) };
  });
  const refused = judged.filter(({ judgement }) => judgement === null);
  if (refused.length > 0) {
    const list = refused.map(
      ({ name, version, licence }) => `  ${name} ${version}: ${licence ?? 'none stated'}`,
    );
    throw new CommandError(
      `No rule in scripts/licences/rules.json permits these licences:\n${list.join('\n')}`,
    );
  }
  const used = Map.groupBy(judged, ({ judgement }) => judgement!.exception);
  const unused = exceptions.filter((rule) => !used.has(rule));
  if (unused.length > 0)
    throw new CommandError(
      `Exceptions for no package: ${unused.map(({ packages }) => packages.source).join(', ')}`,
    );
  print(`${components.length} packages, all under permissive licences except these:`);
  for (const rule of exceptions)
    print(
      `  ${rule.licence} × ${used.get(rule)!.length} ${styled('dim', `${rule.packages.source}: ${rule.reason}`)}`,
    );
}

interface Audit {
  /** The reason for a missing audit. */
  message?: string;
  metadata?: { vulnerabilities: Record<string, number> };
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>;
}

async function audit(required: boolean): Promise<void> {
  const { stdout } = await npm('audit', '--json');
  const { message: reason = 'no answer', metadata, vulnerabilities = {} } = parse(stdout) as Audit;
  if (!metadata) {
    const message = `Vulnerabilities were NOT checked: the registry does not answer npm audit (${reason}).`;
    if (required) throw new CommandError(message);
    return print(styled('yellow', message));
  }
  const found = Object.values(vulnerabilities);
  if (found.length > 0)
    throw new CommandError(
      `Known vulnerabilities:\n${found.map(({ name, severity, range }) => `  ${name} ${range}: ${severity}`).join('\n')}`,
    );
  print('No known vulnerability in any package.');
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
