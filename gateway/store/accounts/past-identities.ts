import { sha256 } from '../../base/ids.ts'
import type { UserRow } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

type PastIdentity = Readonly<{ kind: BindingOrMail; subject: string }>

type BindingOrMail = 'email' | 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'

export const identitiesOf = (row: Pick<UserRow, BindingOrMail>): readonly PastIdentity[] =>
  (['email', 'github_id', 'oidc_id', 'linux_do_id', 'wechat_id', 'telegram_id'] as const)
    .map((kind) => ({ kind, subject: row[kind] }))
    .filter(({ subject }) => subject !== '')

const hashOf = ({ kind, subject }: PastIdentity): string =>
  sha256(`${kind}|${kind === 'email' ? subject.toLowerCase() : subject}`)

/**
 * SHA-256 hashes of identities that were bound to accounts in the past. A user who registers with one again does not
 * count as new and gets no new-user bonus (docs/reference/accounts.md#registration).
 */
export const pastIdentityStore = (db: Db) => ({
  async add(identities: readonly PastIdentity[], at: number): Promise<void> {
    const rows = identities.map((identity) => ({ identity_hash: hashOf(identity), created_at: at }))
    if (rows.length === 0) return
    await db
      .insertInto('past_identities')
      .values(rows)
      .onConflict((conflict) => conflict.column('identity_hash').doNothing())
      .execute()
  },

  async hasAny(identities: readonly PastIdentity[]): Promise<boolean> {
    const known = identities.filter(({ subject }) => subject !== '')
    if (known.length === 0) return false
    const found = await db
      .selectFrom('past_identities')
      .select('created_at')
      .where('identity_hash', 'in', known.map(hashOf))
      .executeTakeFirst()
    return found !== undefined
  },
})
