import {
  loginOptions,
  newPassword,
  RECOVERY_PATH,
  type RecoveryDone,
  type RecoveryRequest,
  recoverAccount,
} from '../accounts/recovery/account-recovery.ts'
import { type Command, type CommandDeps, failure, wrongUse } from './command.ts'
import { isInUse, requireDatabase, withDatabase } from './in-folder.ts'
import { shellAt } from './with-gateway.ts'

/** The first recovery step for a locked-out user (docs/operations.md#locked-out). */
export const resetLogin: Command = {
  about: 'turns password login on and human verification off',
  async run(deps, { args }) {
    if (args.length > 0) throw wrongUse('usage: reset-login')
    const result = await recover(deps, { way: 'options', keys: [...loginOptions] })
    deps.print('Password login is on, and human verification is off.')
    return { result }
  },
}

/** Removes options from the table, so that their defaults apply. */
export const resetOptions: Command = {
  args: '<option> ...',
  about: 'sets options back to their defaults',
  async run(deps, { args }) {
    if (args.length === 0) throw wrongUse('usage: reset-options <option> ...')
    return { result: await recover(deps, { way: 'options', keys: [...args] }) }
  },
}

/**
 * Sets a new password, shown once, for an account (root by default), enables it, ends its sessions and revokes its
 * access token.
 */
export const resetPassword: Command = {
  args: '[name]',
  about: 'gives an account a new password; without a name, the super administrator',
  async run(deps, { args: [name, ...more] }) {
    if (more.length > 0) throw wrongUse('usage: reset-password [name]')
    const { password, hash } = await newPassword()
    const { username } = await recover(deps, { way: 'password', name, hash })
    deps.print(`New password for ${username}: ${password}`)
    deps.print(
      'It is shown only once. The account is enabled, its sessions have ended and its access token is revoked.',
    )
    return { result: { username, password } }
  },
}

/** Removes the second factors of an account (root by default), including passkeys. */
export const resetFactors: Command = {
  args: '[name]',
  about: 'takes the second factors from an account; without a name, from the super administrator',
  async run(deps, { args: [name, ...more] }) {
    if (more.length > 0) throw wrongUse('usage: reset-2fa [name]')
    return { result: await recover(deps, { way: 'factors', name }) }
  },
}

/**
 * Lets the folder's running gateway carry out the recovery, so that the gateway's memory is updated; if no gateway is
 * running, carries it out here, without a data key.
 */
async function recover(deps: CommandDeps, request: RecoveryRequest): Promise<RecoveryDone['result']> {
  const folder = deps.config.DATA_DIR
  requireDatabase(deps.config)
  const { lines, result } = isInUse(folder) ? await recoverRemotely(folder, request) : await done(deps, request)
  for (const line of lines) deps.print(line)
  return result
}

type Outcome = Pick<RecoveryDone, 'lines' | 'result'>

async function recoverRemotely(folder: string, request: RecoveryRequest): Promise<Outcome> {
  const { data } = await shellAt(folder).request<{ data: Outcome }>('POST', RECOVERY_PATH, { body: request })
  return data
}

function done(deps: CommandDeps, request: RecoveryRequest): Promise<Outcome> {
  return withDatabase(deps, async (database) => {
    const back = await database.transaction().execute((db) => recoverAccount(db, deps.clock, request))
    if ('problem' in back) throw failure(back.problem)
    return back
  })
}
