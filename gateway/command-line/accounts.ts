import {
  loginOptions,
  newPassword,
  takeWayBack,
  WAY_BACK_PATH,
  type WayBackAsk,
  type WayBackDone,
} from '../accounts/recovery/account-recovery.ts'
import { type Command, type CommandDeps, failure, wrongUse } from './command.ts'
import { isInUse, requireDatabase, withDatabase } from './in-folder.ts'
import { shellAt } from './with-gateway.ts'

/** The first of the ways back for whoever has locked themselves out (docs/operations.md#locked-out). */
export const resetLogin: Command = {
  about: 'turns password login on and human verification off',
  async run(deps, { words }) {
    if (words.length > 0) throw wrongUse('usage: reset-login')
    const result = await goBack(deps, { way: 'options', keys: [...loginOptions] })
    deps.print('Password login is on, and human verification is off.')
    return { result }
  },
}

/** Takes options out of the table, so that their defaults hold. */
export const resetOptions: Command = {
  words: '<option> ...',
  about: 'sets options back to their defaults',
  async run(deps, { words }) {
    if (words.length === 0) throw wrongUse('usage: reset-options <option> ...')
    return { result: await goBack(deps, { way: 'options', keys: [...words] }) }
  },
}

/** Gives somebody, without a name root, a new password that is shown once, and ends what the old one opened. */
export const resetPassword: Command = {
  words: '[name]',
  about: 'gives an account a new password; without a name, the super administrator',
  async run(deps, { words: [name, ...more] }) {
    if (more.length > 0) throw wrongUse('usage: reset-password [name]')
    const { password, hash } = await newPassword()
    const { username } = await goBack(deps, { way: 'password', name, hash })
    deps.print(`New password for ${username}: ${password}`)
    deps.print(
      'It is shown only once. The account is enabled, its sessions have ended and its access token is revoked.',
    )
    return { result: { username, password } }
  },
}

/** Takes the second factors, passkeys among them, from an account; without a name, from root. */
export const resetFactors: Command = {
  words: '[name]',
  about: 'takes the second factors from an account; without a name, from the super administrator',
  async run(deps, { words: [name, ...more] }) {
    if (more.length > 0) throw wrongUse('usage: reset-2fa [name]')
    return { result: await goBack(deps, { way: 'factors', name }) }
  },
}

/** Has the gateway do it that has the folder, which knows of it then; where none has, does it here, without a data key. */
async function goBack(deps: CommandDeps, ask: WayBackAsk): Promise<WayBackDone['result']> {
  const folder = deps.config.DATA_DIR
  requireDatabase(folder)
  const { lines, result } = isInUse(folder) ? await asked(folder, ask) : await done(deps, ask)
  for (const line of lines) deps.print(line)
  return result
}

type Told = Pick<WayBackDone, 'lines' | 'result'>

async function asked(folder: string, ask: WayBackAsk): Promise<Told> {
  const { data } = await shellAt(folder).ask<{ data: Told }>('POST', WAY_BACK_PATH, { body: ask })
  return data
}

function done(deps: CommandDeps, ask: WayBackAsk): Promise<Told> {
  return withDatabase(deps, async (database) => {
    const back = await database.transaction().execute((db) => takeWayBack(db, deps.clock, ask))
    if ('problem' in back) throw failure(back.problem)
    return back
  })
}
