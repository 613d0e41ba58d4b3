import type { Transaction } from 'kysely'
import type { InvitationView, NewInvitation } from '../../shared/api/invitation.ts'
import { role, userStatus } from '../../shared/enums.ts'
import { managerRow } from '../audit/log-rows.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomSecret, sha256 } from '../base/ids.ts'
import type { Settings } from '../settings/settings.ts'
import { type InvitationRow, invitationStore } from '../store/accounts/invitations.ts'
import { userStore } from '../store/accounts/users.ts'
import type { Schema, UserRow } from '../store/schema/schema.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { Manager } from './guards/managing.ts'

type InvitationsDeps = Readonly<{ db: Db; clock: Clock; settings: Pick<Settings, 'get'> }>

export type OpenInvitation = Readonly<{ row: InvitationRow; by: UserRow }>

type Granter = Readonly<{ id: number; role: number }>

/** Invitation links by which administrators let people register (docs/reference/accounts.md#invitation-links). */
export interface Invitations {
  /** Lists the invitations this administrator may see: those to roles below their own. */
  list(by: Granter): Promise<InvitationView[]>
  /** Returns the code; only its SHA-256 is stored. */
  create(by: Manager, fields: NewInvitation): Promise<{ id: number; code: string }>
  remove(by: Manager, id: number): Promise<void>
  /**
   * Returns the open invitation of a code. Throws without one, or if its group was removed, or its creator may no
   * longer admit such accounts.
   */
  open(code: string): Promise<OpenInvitation>
  /**
   * Uses the invitation once, within the transaction that creates the account. Throws if it was used up meanwhile, or
   * if its creator may no longer admit such accounts.
   */
  take(transaction: Transaction<Schema>, invitation: OpenInvitation): Promise<void>
}

export function createInvitations({ db, clock, settings }: InvitationsDeps): Invitations {
  const store = invitationStore(db)
  /** Whether the group is empty or still has a ratio: it may have been removed since the link was created. */
  const hasRatio = (group: string) => group === '' || Object.hasOwn(settings.get('GroupRatio'), group)
  const creatorOf = async (at: Db, row: InvitationRow): Promise<UserRow | undefined> => {
    const by = await userStore(at).byId(row.created_by)
    return by?.status === userStatus.active && mayGive(by, row.role) ? by : undefined
  }
  return {
    async list(by) {
      const rows = await store.list(unixSeconds(clock))
      return rows.filter((row) => mayGive(by, row.role)).map(({ code_hash: _, ...row }) => row)
    },
    async create(by, { role: invitedRole, group, quota, uses, seconds, note }) {
      if (invitedRole !== role.user && invitedRole !== role.admin) throw refuse('invalid', 'param.invalid')
      if (!mayGive(by, invitedRole)) throw refuse('forbidden', 'user.create_higher')
      const groupName = group.trim()
      if (!hasRatio(groupName)) throw refuse('invalid', 'user.group_unknown', { name: groupName })
      const code = randomSecret()
      const now = unixSeconds(clock)
      const grants = { role: invitedRole, group: groupName, quota, uses, expires_at: now + seconds, note: note.trim() }
      const id = await db.transaction().execute(async (transaction) => {
        const row = { ...grants, code_hash: sha256(code), created_by: by.id, created_at: now }
        const added = await invitationStore(transaction).add(row)
        const logRow = managerRow(
          by,
          'log.invitation_made',
          clock,
          { id: added },
          { invitation: { id: added, ...grants } },
        )
        await transaction.insertInto('logs').values(logRow).execute()
        return added
      })
      return { id, code }
    },
    async remove(by, id) {
      const row = await store.one(id)
      if (!row || !mayGive(by, row.role)) throw refuse('missing', 'invitation.none')
      await db.transaction().execute(async (transaction) => {
        await invitationStore(transaction).remove(id)
        const logRow = managerRow(by, 'log.invitation_removed', clock, { id }, { invitation: { id } })
        await transaction.insertInto('logs').values(logRow).execute()
      })
    },
    async open(code) {
      const row = code === '' ? undefined : await store.open(sha256(code), unixSeconds(clock))
      const by = row && (await creatorOf(db, row))
      if (!row || !by || !hasRatio(row.group)) throw refuse('forbidden', 'invitation.none')
      return { row, by }
    },
    async take(transaction, { row }) {
      // Checked again, since the creator may have been banned while the password was hashed.
      const isOpen =
        (await creatorOf(transaction, row)) && (await invitationStore(transaction).take(row.id, unixSeconds(clock)))
      if (!isOpen) throw refuse('forbidden', 'invitation.none')
    },
  }
}

/** Only administrators grant roles, and only roles below their own. */
const mayGive = (by: Granter, grantedRole: number): boolean => by.role >= role.admin && grantedRole < by.role
