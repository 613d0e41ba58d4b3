import { sha256 } from '../base/ids.ts'
import type { Db } from './database.ts'
import type { UserRow } from './schema.ts'

/** What an account is known by elsewhere: by whom, and by what. */
type PastIdentity = Readonly<{ kind: BindingOrMail; subject: string }>

type BindingOrMail = 'email' | 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'

/** All that this account is known by elsewhere. */
export const identitiesOf = (row: Pick<UserRow, BindingOrMail>): readonly PastIdentity[] =>
  (['email', 'github_id', 'oidc_id', 'linux_do_id', 'wechat_id', 'telegram_id'] as const)
    .map((kind) => ({ kind, subject: row[kind] }))
    .filter(({ subject }) => subject !== '')

const hashOf = ({ kind, subject }: PastIdentity): string =>
  sha256(`${kind}|${kind === 'email' ? subject.toLowerCase() : subject}`)

/**
 * What accounts were once bound to and are no more, as SHA-256: whoever comes by it again is nobody new, and is given nothing
 * that new users are given (docs/reference/accounts.md#registration).
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

  /** Whether an account was bound to any of these. */
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
