import type { shareRefusals } from '../../shared/api/share.ts'
import { role, userStatus } from '../../shared/enums.ts'
import { LEAST_PASSWORD } from '../../shared/share/wish.ts'
import type { KnownLength } from '../accounts/known-length.ts'
import { sha256 } from '../base/ids.ts'
import type { Db } from '../store/database.ts'
import { passkeyStore } from '../store/passkeys.ts'
import { userStore } from '../store/users.ts'
import type { ShareFile } from './share-file.ts'

export type ReadinessDeps = Readonly<{
  db: Db
  passwords: Pick<KnownLength, 'isLong'>
  setup: Readonly<{ isDone: () => boolean }>
  file: Pick<ShareFile, 'proven' | 'keep'>
}>

/** Why a gateway may not be shared; undefined where it may. */
export type Readiness = () => Promise<Exclude<(typeof shareRefusals)[number], 'environment'> | undefined>

/**
 * A gateway may be shared once it is set up and every super administrator has a passkey, or a password of `LEAST_PASSWORD`
 * characters (docs/reference/share.md#before-it-can-be-shared). A hash does not tell its length: that is learnt when the password
 * is typed, and what was long enough is remembered by a hash of that hash.
 */
export const createReadiness =
  ({ db, passwords, setup, file }: ReadinessDeps): Readiness =>
  async () => {
    if (!setup.isDone()) return 'not_set_up'
    const roots = (await userStore(db).withRole(role.root)).filter(({ status }) => status === userStatus.active)
    if (roots.length === 0) return 'not_set_up'
    const long: string[] = []
    for (const { id, password } of roots) {
      if ((await passkeyStore(db).countOf(id)) > 0) continue
      const mark = sha256(password)
      const isLong = password !== '' && (passwords.isLong(password) ?? (file.proven().includes(mark) || undefined))
      if (isLong === undefined) return 'password_unknown'
      if (!isLong) return 'password_short'
      long.push(mark)
    }
    if (long.some((mark) => !file.proven().includes(mark))) file.keep({ proven: long.slice(0, 20) })
    return undefined
  }

/** What stands in the message of a refusal. */
export const refusalParams = { least: LEAST_PASSWORD }
