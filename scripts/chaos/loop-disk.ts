import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/support/until.ts';
import { startWatchdog, type Watchdog } from '../stack/processes.ts';
import { CommandError } from '../stack/terminal.ts';

/** The journal is written every ten minutes, not every five seconds, so that more is lost that was not synced. */
const OPTIONS = 'loop,commit=600';
/** Seconds until killed programs have closed their files. */
const UNMOUNTED_WITHIN = 30;
/**
 * The ioctl EXT4_IOC_SHUTDOWN (_IOR('X', 125, __u32)) with EXT4_GOING_FLAGS_NOLOGFLUSH, as the tests of Linux' file systems
 * use it: from then on nothing is written, neither pages nor the journal. Node.js has no ioctl.
 */
const SHUT_DOWN =
  'open(my $folder, "<", $ARGV[0]) or die $!; my $flags = pack("L", 2); ioctl($folder, 0x8004587d, $flags) or die $!';
const CAP_SYS_ADMIN = 21n;
/** In bytes. */
const BLOCK = 4_096;

/** An ext4 file system in a file, which can lose power: what was not synced is lost. Needs Linux, root and loop devices. */
export class LoopDisk {
  readonly folder: string;
  private readonly image: string;
  private readonly filler: string;
  private readonly watchdog: Watchdog;

  /** @param path the folder for its files, with this name; the file system's image is beside it */
  constructor(path: string, megabytes: number) {
    this.folder = path;
    this.image = `${path}.img`;
    this.filler = join(path, 'filler');
    mkdirSync(path);
    writeFileSync(this.image, '');
    truncateSync(this.image, megabytes * 1024 ** 2);
    // No block is reserved for root: the disk is full for all users at once.
    command('mkfs.ext4', '-q', '-m', '0', this.image);
    this.mount();
    this.watchdog = startWatchdog([
      '/bin/sh',
      '-c',
      'umount --lazy "$0"; rm -rf "$0" "$1"',
      path,
      this.image,
    ]);
  }

  /** True if this process may mount file systems, which most containers may not. */
  static isPossible(): boolean {
    if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/dev/loop-control'))
      return false;
    const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return ((BigInt(`0x${capabilities ?? 0}`) >> CAP_SYS_ADMIN) & 1n) === 1n;
  }

  private mount(): void {
    command('mount', '-o', OPTIONS, this.image, this.folder);
  }

  /** Waits until all programs have closed its files. */
  private unmount(): Promise<unknown> {
    return until(`${this.folder} to be unmounted`, () => succeeds('umount', this.folder), {
      seconds: UNMOUNTED_WITHIN,
      every: 50,
    });
  }

  sync(): void {
    command('sync', '--file-system', this.folder);
  }

  /** Loses what was not synced. The programs that use it must have been killed. */
  async losePower(): Promise<void> {
    command('perl', '-e', SHUT_DOWN, this.folder);
    await this.unmount();
    this.mount();
  }

  /** Takes all free space. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.folder);
    for (let bytes = bavail * bsize; bytes >= BLOCK; bytes = Math.floor(bytes / 2)) {
      const offset = statSync(this.filler, { throwIfNoEntry: false })?.size ?? 0;
      succeeds('fallocate', '--offset', String(offset), '--length', String(bytes), this.filler);
    }
  }

  makeRoom(): void {
    rmSync(this.filler, { force: true });
  }

  async close(): Promise<void> {
    await this.unmount();
    await this.watchdog.cancel();
    for (const path of [this.folder, this.image]) rmSync(path, { recursive: true, force: true });
  }

  /** @throws CommandError if a loss of power keeps an unsynced file, or loses a synced one */
  async testLoss(): Promise<void> {
    const [synced, unsynced] = ['synced', 'unsynced'].map((name) => join(this.folder, name)) as [
      string,
      string,
    ];
    for (const path of [synced, unsynced]) {
      const file = openSync(path, 'w');
      writeFileSync(file, 'content');
      if (path === synced) fsyncSync(file);
      closeSync(file);
    }
    await this.losePower();
    if (!existsSync(synced) || existsSync(unsynced))
      throw new CommandError('A loss of power cannot be simulated with the file systems of this machine.');
    rmSync(synced);
  }
}

const execute = (program: string, args: string[]) =>
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });

function command(program: string, ...args: string[]): void {
  try {
    execute(program, args);
  } catch (error) {
    throw new CommandError(
      `A disk needs Linux, root, loop devices, ext4 and perl: ${(error as Error).message}`,
    );
  }
}

function succeeds(program: string, ...args: string[]): boolean {
  try {
    execute(program, args);
    return true;
  } catch {
    return false;
  }
}
