import { z } from 'zod'
import { call } from './call.ts'
import { passwordText } from './user.ts'

const name = z.string().max(100)

const backupView = z
  .object({
    name: z.string(),
    made_at: z.int().describe('Unix seconds.'),
    bytes: z.int(),
    made_by: z.enum(['schedule', 'person', 'unknown']).describe("`unknown` if the backup's description is missing."),
    is_verified: z
      .boolean()
      .describe(
        'Whether the verification after the backup found the file intact and all balances equal to the ledger.',
      ),
    differences: z.int().nullable().describe('Balances that differed from their ledger; null if unknown.'),
    release: z.string(),
    key_id: z.string().describe('The id of the data key that the backup needs; empty if unknown.'),
  })
  .meta({ id: 'Backup' })
export type BackupView = z.infer<typeof backupView>

const decided = z.object({
  from: z.string().describe('The backup that replaces the database at the next start.'),
  made_at: z.int().describe('Unix seconds.'),
  decided_at: z.int().describe('Unix seconds.'),
})

const backupsView = z.object({
  backups: z.array(backupView),
  is_running: z.boolean(),
  folder: z.string(),
  key_id: z.string().describe("The id of this installation's data key; it reveals nothing of the key."),
  keep: z.int().describe('Number of scheduled backups that are retained; 0 if there is no schedule.'),
  decided: decided.nullable().describe('The restore that takes place at the next start.'),
  is_decision_unreadable: z
    .boolean()
    .describe('A restore is pending, but the file that names its backup cannot be read; keepDatabase clears it.'),
})
export type BackupsView = z.infer<typeof backupsView>

/** Backups of the database, and their restore (docs/reference/backup.md). */
export const backup = {
  list: call({
    method: 'GET',
    path: '/api/backup',
    summary: 'Lists the backups of the database, newest first, and the restore that takes place at the next start.',
    access: 'root',
    onDemo: 'closed',
    answer: backupsView,
  }),
  make: call({
    method: 'POST',
    path: '/api/backup',
    summary: 'Makes a backup of the database now and verifies it; refused while another is being made.',
    access: 'root',
    answer: backupView,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/backup/:name',
    summary: 'Deletes a backup.',
    access: 'root',
    isInPerson: true,
    params: z.object({ name }),
    answer: z.null(),
  }),
  restore: call({
    method: 'POST',
    path: '/api/backup/:name/restore',
    summary: 'Checks a backup, and schedules it to replace the database at the next start.',
    access: 'root',
    isInPerson: true,
    limit: 'per-user',
    params: z.object({ name }),
    answer: z.null(),
  }),
  keepDatabase: call({
    method: 'DELETE',
    path: '/api/backup/restore',
    summary: 'Cancels the restore that is scheduled for the next start.',
    access: 'root',
    isInPerson: true,
    answer: z.null(),
  }),
  exportKey: call({
    method: 'POST',
    path: '/api/backup/key',
    summary: 'Seals the data key with a passphrase, for a restore on another machine.',
    access: 'root',
    isInPerson: true,
    limit: 'per-user',
    body: z.object({
      passphrase: z.string().max(1000),
      password: passwordText.default('').describe('The password of your account; required if it has one.'),
    }),
    answer: z.object({ name: z.string(), content: z.string().describe('A key file.') }),
  }),
}
