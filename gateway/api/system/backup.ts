import { type BackupView, backup } from '../../../shared/api/backup.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import type { RecentLogin } from '../../accounts/login/recent-login.ts'
import type { RequirePassword } from '../../accounts/own-password.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { managerRow } from '../../audit/log-rows.ts'
import type { Backups } from '../../backup/backups.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { BackupFile } from '../../store/sqlite/backup-files.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Actor, ApiCaller } from '../actor.ts'
import { type Served, serve } from '../serve.ts'

export type BackupApiDeps = Readonly<{
  db: Db
  backups: Backups
  vault: Pick<Vault, 'keyId'>
  requirePassword: RequirePassword
  recentLogin: Pick<RecentLogin, 'requireWithoutPassword'>
  auditLog: AuditLog
  clock: Clock
}>

/**
 * Backups for root (docs/reference/backup.md#in-the-console). A backup is never sent, because the key file can be: the
 * two together would expose everything.
 */
export function backupApi(deps: BackupApiDeps): Served[] {
  const { db, backups, vault, requirePassword, recentLogin, auditLog, clock } = deps
  const note = (message: MessageKey, { actor, caller }: BackupCall, name = '') =>
    auditLog.record(managerRow({ ...actor, locale: caller.locale }, message, clock, { name }, { backup: name }))
  return serve(backup, {
    list: () => {
      const waiting = backups.decided()
      const decided = waiting === 'unreadable' ? null : waiting
      return {
        backups: backups.list().map(viewOf),
        is_running: backups.isRunning(),
        folder: backups.folder,
        key_id: vault.keyId,
        keep: backups.keep,
        decided: decided && { from: decided.from, made_at: decided.made_at, decided_at: decided.decided_at },
        is_decision_unreadable: waiting === 'unreadable',
      }
    },
    make: async (call) => {
      const made = await backups.make('person')
      note('log.backup_made', call, made.name)
      return viewOf(made)
    },
    remove: ({ params: { name }, ...call }) => {
      backups.remove(name)
      note('log.backup_removed', call, name)
      return null
    },
    restore: async ({ params: { name }, ...call }) => {
      await backups.restoreNext(name, call.actor.username)
      note('log.restore_decided', call, name)
      return null
    },
    keepDatabase: (call) => {
      const waiting = backups.decided()
      backups.keepDatabase()
      if (waiting === 'unreadable') note('log.restore_cleared', call)
      else if (waiting) note('log.restore_cancelled', call, waiting.from)
      return null
    },
    exportKey: async ({ body, ...call }) => {
      const row = await userStore(db).byId(call.actor.id)
      if (!row) throw refuse('forbidden', 'auth.forbidden')
      await recentLogin.requireWithoutPassword(call.actor)
      await requirePassword(row, body.password, call.caller)
      const file = await backups.exportKey(body.passphrase)
      // A caller who was demoted meanwhile gets no key.
      await call.caller.recheck()
      note('log.key_exported', call)
      return { name: `switchyard-key-${file.key_id}.json`, content: `${JSON.stringify(file, undefined, 2)}\n` }
    },
  })
}

type BackupCall = Readonly<{ actor: Actor; caller: ApiCaller }>

function viewOf({ name, madeAt, bytes, description, isVerified }: BackupFile): BackupView {
  return {
    name,
    made_at: madeAt,
    bytes,
    made_by: description?.made_by ?? 'unknown',
    is_verified: isVerified,
    differences: description?.differences ?? null,
    release: description?.release ?? '',
    key_id: description?.key_id ?? '',
  }
}
