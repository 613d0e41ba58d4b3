import { role, userStatus } from '../../shared/enums.ts'
import { nested } from '../../shared/messages/format.ts'
import { isOptionKey, labelOf, type OptionKey } from '../../shared/options/index.ts'
import { randomKey } from '../base/ids.ts'
import { createPasswords } from '../base/passwords.ts'
import type { Db } from '../store/database.ts'
import { factorStore } from '../store/factors.ts'
import { passkeyStore } from '../store/passkeys.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'
import { type Command, type CommandDeps, failure, wrongUse } from './command.ts'
import { audit, inFolder } from './in-folder.ts'

const PASSWORD_LENGTH = 16
/** Options that decide whether anybody can sign in by password. */
const loginOptions = ['PasswordLoginEnabled', 'TurnstileCheckEnabled'] as const satisfies readonly OptionKey[]

/** The first of the ways back for whoever has locked themselves out (docs/operations.md#locked-out). */
export const resetLogin: Command = {
  about: 'turns password login on and human verification off, while no gateway runs',
  async run(deps, { words }) {
    if (words.length > 0) throw wrongUse('usage: reset-login')
    const result = await reset(deps, loginOptions)
    deps.say('Password login is on, and human verification is off.')
    return { result }
  },
}

/** Takes options out of the table, so that their defaults hold. */
export const resetOptions: Command = {
  words: '<option> ...',
  about: 'sets options back to their defaults, while no gateway runs',
  async run(deps, { words }) {
    if (words.length === 0) throw wrongUse('usage: reset-options <option> ...')
    return { result: await reset(deps, words) }
  },
}

/** Gives somebody, without a name root, a new password that is shown once, and ends what the old one opened. */
export const resetPassword: Command = {
  words: '[name]',
  about: 'gives an account a new password, without a name that of root, while no gateway runs',
  async run(deps, { words: [name, ...more] }) {
    if (more.length > 0) throw wrongUse('usage: reset-password [name]')
    const password = randomKey(PASSWORD_LENGTH)
    const hash = await createPasswords().hash(password)
    const result = await inFolder(deps, async (db, say) => {
      const user = await accountNamed(db, name)
      const change = { password: hash, status: userStatus.active, access_token_hash: null }
      await db.updateTable('users').set(change).where('id', '=', user.id).execute()
      await db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
      await audit(deps, db, 'log.password_reset', { name: user.username }, { password_of: user.username })
      say(`New password for ${user.username}: ${password}`)
      say('It is shown only once. The account is enabled, its sessions have ended and its access token is revoked.')
      return { username: user.username, password }
    })
    return { result }
  },
}

/** Takes the second factors, passkeys among them, from somebody, without a name from root. */
export const resetFactors: Command = {
  words: '[name]',
  about: 'takes the second factors from an account, without a name from root, while no gateway runs',
  async run(deps, { words: [name, ...more] }) {
    if (more.length > 0) throw wrongUse('usage: reset-2fa [name]')
    const result = await inFolder(deps, async (db, say) => {
      const user = await accountNamed(db, name)
      const hadApp = await factorStore(db).remove(user.id)
      const passkeys = await passkeyStore(db).removeOf(user.id)
      const removed = { username: user.username, app: hadApp, passkeys }
      if (!hadApp && passkeys === 0) {
        say(`${user.username} has no second factor.`)
        return removed
      }
      await audit(deps, db, 'log.user_factors', { name: user.username, id: user.id }, { factors_of: user.username })
      if (passkeys > 0) say(`Passkeys of ${user.username} that were removed: ${passkeys}`)
      say(`${user.username} can log in without a second factor.`)
      return removed
    })
    return { result }
  },
}

async function reset(deps: CommandDeps, keys: readonly string[]): Promise<Readonly<{ reset: string[] }>> {
  const unknown = keys.find((key) => !isOptionKey(key))
  if (unknown !== undefined) throw failure(`unknown option ${unknown}`)
  return inFolder(deps, async (db, say) => {
    const done: string[] = []
    for (const key of keys.filter(isOptionKey)) {
      const { numDeletedRows } = await db.deleteFrom('options').where('key', '=', key).executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) {
        say(`${key} already has its default value.`)
        continue
      }
      await audit(deps, db, 'log.option_reset', { name: nested(labelOf(key)), key }, { option: key, reset: true })
      say(`${key} was reset to its default.`)
      done.push(key)
    }
    return { reset: done }
  })
}

/** The account of this name, or root. */
async function accountNamed(db: Db, name: string | undefined): Promise<UserRow> {
  const users = userStore(db)
  const [root] = await users.withRole(role.root)
  const user = name === undefined ? root : await users.bySignInName(name)
  const problem = name === undefined ? 'the setup has not been completed yet' : `unknown user ${name}`
  if (!user) throw failure(problem)
  return user
}
