import type { Transaction } from 'kysely'
import type { InvitationView, NewInvitation } from '../../shared/api/invitation.ts'
import { role, userStatus } from '../../shared/enums.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomSecret, sha256 } from '../base/ids.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { type InvitationRow, invitationStore } from '../store/invitations.ts'
import type { Schema, UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'
import { type Manager, managerRow } from './managing.ts'

type InvitationsDeps = Readonly<{ db: Db; clock: Clock; settings: Pick<Settings, 'get'> }>

/** What an open invitation gives, and who has made it. */
export type OpenInvitation = Readonly<{ row: InvitationRow; by: UserRow }>

type Standing = Readonly<{ id: number; role: number }>

/** Links by which administrators let people in (docs/reference/accounts.md#links-of-invitation). */
export interface Invitations {
  /** Those that this administrator may see: of roles below their own. */
  list(by: Standing): Promise<InvitationView[]>
  /** Makes one; the code is answered, and only its SHA-256 kept. */
  create(by: Manager, fields: NewInvitation): Promise<{ id: number; code: string }>
  remove(by: Manager, id: number): Promise<void>
  /** The invitation of a code, while it is open and whoever made it may still let in such accounts; else it refuses. */
  open(code: string): Promise<OpenInvitation>
  /** Uses it once, within the transaction that makes the account; refuses where somebody was quicker. */
  take(transaction: Transaction<Schema>, invitation: OpenInvitation): Promise<void>
}

/** The rules over one database. */
export function createInvitations({ db, clock, settings }: InvitationsDeps): Invitations {
  const store = invitationStore(db)
  /** Whether a group has a ratio: one that had when the link was made may have lost it. */
  const isThere = (group: string) => group === '' || Object.hasOwn(settings.get('GroupRatio'), group)
  /** Who has made one, while they may still let in such accounts. */
  const makerOf = async (at: Db, row: InvitationRow): Promise<UserRow | undefined> => {
    const by = await userStore(at).byId(row.created_by)
    return by?.status === userStatus.active && mayGive(by, row.role) ? by : undefined
  }
  return {
    async list(by) {
      const rows = await store.list(unixSeconds(clock))
      return rows.filter((row) => mayGive(by, row.role)).map(({ code_hash: _, ...row }) => row)
    },
    async create(by, { role: wanted, group, quota, uses, seconds, note }) {
      if (wanted !== role.user && wanted !== role.admin) throw refuse('invalid', 'param.invalid')
      if (!mayGive(by, wanted)) throw refuse('forbidden', 'user.create_higher')
      const known = group.trim()
      if (!isThere(known)) throw refuse('invalid', 'user.group_unknown', { name: known })
      const code = randomSecret()
      const now = unixSeconds(clock)
      const gives = { role: wanted, group: known, quota, uses, expires_at: now + seconds, note: note.trim() }
      const id = await db.transaction().execute(async (transaction) => {
        const row = { ...gives, code_hash: sha256(code), created_by: by.id, created_at: now }
        const added = await invitationStore(transaction).add(row)
        const told = managerRow(
          by,
          'log.invitation_made',
          clock,
          { id: added },
          { invitation: { id: added, ...gives } },
        )
        await transaction.insertInto('logs').values(told).execute()
        return added
      })
      return { id, code }
    },
    async remove(by, id) {
      const row = await store.one(id)
      if (!row || !mayGive(by, row.role)) throw refuse('missing', 'invitation.none')
      await db.transaction().execute(async (transaction) => {
        await invitationStore(transaction).remove(id)
        const told = managerRow(by, 'log.invitation_removed', clock, { id }, { invitation: { id } })
        await transaction.insertInto('logs').values(told).execute()
      })
    },
    async open(code) {
      const row = code === '' ? undefined : await store.open(sha256(code), unixSeconds(clock))
      const by = row && (await makerOf(db, row))
      if (!row || !by || !isThere(row.group)) throw refuse('forbidden', 'invitation.none')
      return { row, by }
    },
    async take(transaction, { row }) {
      // A password was hashed meanwhile: whoever made it may have been banned.
      const isOpen =
        (await makerOf(transaction, row)) && (await invitationStore(transaction).take(row.id, unixSeconds(clock)))
      if (!isOpen) throw refuse('forbidden', 'invitation.none')
    },
  }
}

/** Nobody gives a role of their own or above; root gives both. */
const mayGive = (by: Standing, given: number): boolean => by.role >= role.admin && given < by.role
