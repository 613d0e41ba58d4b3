import type { BackupsView, BackupView } from '../../shared/api/backup.ts'

const NOW = Math.floor(Date.now() / 1000)
const DAY = 86_400

const aBackup = (day: number, more: Partial<BackupView> = {}): BackupView => ({
  name: `switchyard-202611${String(28 - day).padStart(2, '0')}T030512Z.db`,
  made_at: NOW - day * DAY,
  bytes: 48_300_000 - day * 900_000,
  made_by: 'schedule',
  is_verified: true,
  differences: 0,
  release: '0.1.0',
  key_id: '5f1c09ab',
  ...more,
})

const around = {
  is_running: false,
  folder: '/var/lib/switchyard/backups',
  key_id: '5f1c09ab',
  keep: 7,
  decided: null,
  is_decision_unreadable: false,
}

/** Backups of all kinds: nightly, manual, with differences, with another key, of unknown origin. */
export const backups: BackupsView = {
  ...around,
  backups: [
    aBackup(0, { made_by: 'person' }),
    aBackup(1),
    aBackup(2, { is_verified: false, differences: 3 }),
    aBackup(3, { key_id: '00c0ffee' }),
    aBackup(9, { made_by: 'unknown', is_verified: false, differences: null, release: '', key_id: '' }),
  ],
}

/** With a backup that will be restored at the next start. */
export const decided: BackupsView = {
  ...backups,
  decided: { from: aBackup(1).name, made_at: NOW - DAY, decided_at: NOW - 60 },
}

/** With an unreadable decision about the next start. */
export const unreadable: BackupsView = { ...backups, is_decision_unreadable: true }

/** None yet, and none at night. */
export const noBackups: BackupsView = { ...around, keep: 0, backups: [] }
