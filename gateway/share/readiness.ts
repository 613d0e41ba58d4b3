import type { shareRefusals } from '../../shared/api/share.ts'
import { role, userStatus } from '../../shared/enums.ts'
import type { KnownLength } from '../accounts/known-length.ts'
import { sha256 } from '../base/ids.ts'
import { passkeyStore } from '../store/accounts/passkeys.ts'
import { userStore } from '../store/accounts/users.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { ShareFile } from './share-file.ts'

export type ReadinessDeps = Readonly<{
  db: Db
  passwords: Pick<KnownLength, 'isLong'>
  setup: Readonly<{ isDone: () => boolean }>
  file: Pick<ShareFile, 'proven'>
}>

/** Why a gateway may not be shared; or the stored passwords, hashed, that are known to be long enough. */
export type Ready =
  | Readonly<{ refused: Exclude<(typeof shareRefusals)[number], 'environment'> }>
  | Readonly<{ refused: undefined; proven: readonly string[] }>

const MAX_PROVEN = 20

/**
 * A gateway may be shared once it is set up and no active root account without a passkey has a password shorter than
 * `MIN_PASSWORD_LENGTH` (docs/reference/share.md#requirements). A stored hash does not show the length: it is checked
 * when the password is entered, and remembered by a hash of that hash.
 */
export const createReadiness =
  ({ db, passwords, setup, file }: ReadinessDeps): (() => Promise<Ready>) =>
  async () => {
    if (!setup.isDone()) return { refused: 'not_set_up' }
    const roots = (await userStore(db).withRole(role.root)).filter(({ status }) => status === userStatus.active)
    if (roots.length === 0) return { refused: 'not_set_up' }
    const proven: string[] = []
    for (const { id, password } of roots) {
      if ((await passkeyStore(db).countOf(id)) > 0) continue
      const mark = sha256(password)
      const isLong =
        password === '' ? true : (passwords.isLong(password) ?? (file.proven().includes(mark) || undefined))
      if (isLong === undefined) return { refused: 'password_unknown' }
      if (!isLong) return { refused: 'password_short' }
      proven.push(mark)
    }
    return { refused: undefined, proven: proven.slice(0, MAX_PROVEN) }
  }
