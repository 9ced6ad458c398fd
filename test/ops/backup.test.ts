import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { inRoot } from '../../scripts/stack/root.ts';

const TABLE_OF_CONTENTS = `;
; Selected TOC Entries:
;
2; 3079 16385 EXTENSION - pgcrypto${' '}
3; 3079 16386 EXTENSION - google_things${' '}
3567; 0 0 COMMENT - EXTENSION google_things${' '}
215; 1259 16390 TABLE public users pressroom
`;

/** PostgreSQL's programs, of which this machine may have none of the server's version. */
const PROGRAMS: Record<string, string> = {
  pg_dump: `[ -z "\${NO_DUMP:-}" ] || exit 1
for word; do case $word in --file=*) file=\${word#--file=} ;; esac; done
echo "$word" >"$file"`,
  initdb: '',
  pg_ctl: '',
  createdb: '',
  psql: `case "$*" in *available*) printf 'plpgsql\\npgcrypto\\n' ;; *) echo 1 ;; esac`,
  pg_restore: `case "$*" in
  --list*) cat "$FOLDER/contents" ;;
  *) cp "$CHECK_FOLDER/list" "$FOLDER/restored"; exit "\${RESTORE_STATUS:-0}" ;;
esac`,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pressroom-backup-'));
  for (const name of ['bin', 'backups', 'check']) mkdirSync(join(folder, name));
  for (const [name, script] of Object.entries(PROGRAMS))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'contents'), TABLE_OF_CONTENTS);
});
afterEach(() => rmSync(folder, { recursive: true }));

const backUp = (environment: Record<string, string> = {}) =>
  execa('sh', [inRoot('ops/kubernetes/components/backup/backup.sh')], {
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      FOLDER: folder,
      BACKUP_FOLDER: join(folder, 'backups'),
      CHECK_FOLDER: join(folder, 'check'),
      DATABASE_URL: 'postgres://pooler/pressroom',
      ...environment,
    },
    extendEnv: false,
    reject: false,
    all: true,
  });

const backups = () => readdirSync(join(folder, 'backups')).sort();

function addBackup(name: string, days: number): string {
  const path = join(folder, 'backups', name);
  writeFileSync(path, 'old');
  const time = Date.now() / 1000 - days * 86_400;
  utimesSync(path, time, time);
  return name;
}

describe('The backup of Kubernetes', () => {
  it.each<[string, Record<string, string>]>([
    ['postgres://pooler/pressroom', {}],
    ['postgres://pooler/pressroom', { DATABASE_DIRECT_URL: '' }],
    ['postgres://itself/pressroom', { DATABASE_DIRECT_URL: 'postgres://itself/pressroom' }],
  ])('is of %s with %j', async (url, environment) => {
    expect(await backUp(environment)).toMatchObject({ exitCode: 0 });
    expect(backups()).toEqual([expect.stringMatching(/^pressroom-\w+\.dump$/)]);
    expect(readFileSync(join(folder, 'backups', backups()[0]!), 'utf8')).toBe(`${url}\n`);
  });

  it('is restored without the extensions that only the provider has', async () => {
    const { all } = await backUp();
    expect(all).toContain('not restored: extension google_things');
    const restored = readFileSync(join(folder, 'restored'), 'utf8');
    expect(restored).toBe(TABLE_OF_CONTENTS.replaceAll(/^3.*google.*\n/gm, ''));
    expect(existsSync(join(folder, 'check', 'list'))).toBe(false);
  });

  it('that cannot be restored fails and is kept, but only the newest', async () => {
    const good = addBackup('pressroom-20200101T000000Z.dump', 1);
    const failed = addBackup('pressroom-20200102T000000Z.dump.failed', 1);
    expect(await backUp({ RESTORE_STATUS: '1' })).toMatchObject({ exitCode: 1 });
    expect(backups()).toEqual([good, expect.stringMatching(/\.dump\.failed$/)]);
    expect(backups()).not.toContain(failed);
  });

  it('makes room before it dumps, and keeps the newest restored dump', async () => {
    addBackup('pressroom-20200101T000000Z.dump', 40);
    addBackup('pressroom-20200102T000000Z.dump.failed', 39);
    const newest = addBackup('pressroom-20200103T000000Z.dump', 38);
    addBackup('pressroom-20200104T000000Z.dump.part', 0);
    expect(await backUp({ NO_DUMP: 'yes' })).toMatchObject({ exitCode: 1 });
    expect(backups()).toEqual([newest]);
  });
});
