import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { logType, role, userStatus } from '../shared/enums.ts'
import { type MessageParams, nested } from '../shared/messages/format.ts'
import { isOptionKey, labelOf, type OptionKey } from '../shared/options/index.ts'
import { createVault } from './base/ciphers.ts'
import { type Clock, unixSeconds } from './base/clock.ts'
import { randomKey } from './base/ids.ts'
import { createPasswords } from './base/passwords.ts'
import { saidInLog } from './base/said.ts'
import type { Config } from './config.ts'
import { importFromShell, importSwitches } from './import/import-from-shell.ts'
import type { Secrets } from './secrets.ts'
import { CannotStart, DATABASE_FILE, type Db, EXIT, openDatabase } from './store/database.ts'
import { factorStore } from './store/factors.ts'
import { passkeyStore } from './store/passkeys.ts'
import type { UserRow } from './store/schema.ts'
import { userStore } from './store/users.ts'

/** What a command works with. */
export type CommandDeps = Readonly<{
  config: Pick<Config, 'DATA_DIR'>
  clock: Clock
  secrets: Secrets
  /** Variables that an imported file may name. */
  environment: Readonly<Record<string, string | undefined>>
  /** Tells whoever called it one line. */
  say: (line: string) => void
}>

const PASSWORD_LENGTH = 16
/** Options that decide whether anybody can sign in by password. */
const loginOptions = ['PasswordLoginEnabled', 'TurnstileCheckEnabled'] as const satisfies readonly OptionKey[]

type Command = Readonly<{
  usage: string
  /** Flags of its own. */
  switches?: readonly string[]
  run: (deps: CommandDeps, words: readonly string[], switches: readonly string[]) => Promise<void>
}>

const commands: Readonly<Record<string, Command>> = {
  'reset-login': { usage: 'reset-login', run: (deps, words) => resetLogin(deps, words) },
  'reset-password': { usage: 'reset-password [name]', run: (deps, words) => resetPassword(deps, words) },
  'reset-2fa': { usage: 'reset-2fa [name]', run: (deps, words) => resetFactors(deps, words) },
  'reset-options': { usage: 'reset-options <option> ...', run: (deps, words) => resetOptions(deps, words) },
  import: {
    usage: 'import <file> [--dry-run]',
    switches: importSwitches,
    run: (deps, words, switches) => importFile(deps, words, switches),
  },
}

/** A command, its words, its own flags and those of the gateway. */
export type CommandLine = Readonly<{ words: readonly string[]; switches: readonly string[]; flags: readonly string[] }>

/**
 * The command that the arguments begin with, its words and flags, in whatever order they stand behind it; undefined when the
 * arguments begin with a flag. Flags of the gateway all have a value, which is the next word unless it is behind a `=`.
 */
export function commandIn(argv: readonly string[]): CommandLine | undefined {
  const [name = '-', ...rest] = argv
  if (name.startsWith('-')) return undefined
  const { switches: own = [] } = (Object.hasOwn(commands, name) && commands[name]) || {}
  const line = { words: [name], switches: [] as string[], flags: [] as string[] }
  let isValue = false
  for (const word of rest) {
    const isFlag = word.startsWith('-')
    if (isFlag && own.includes(word)) line.switches.push(word)
    else if (isFlag || isValue) line.flags.push(word)
    else line.words.push(word)
    isValue = isFlag && !own.includes(word) && !word.includes('=')
  }
  return line
}

/** What a shell can ask for, a line each. */
export const usageLines = (): string[] =>
  Object.values(commands).map(({ usage, switches = [] }) =>
    [usage, ...switches.filter((flag) => !usage.includes(flag)).map((flag) => `[${flag}]`)].join(' '),
  )

/**
 * The ways back for whoever has locked themselves out and has a shell on the machine (docs/operations.md#locked-out). They work
 * on the data folder of a gateway that does not run, say what they have changed and leave an audit row each. Throws
 * `CannotStart`: exit code 1 for words that name nothing, 3 while a gateway uses the folder, 4 where there is none.
 */
export async function runCommand(deps: CommandDeps, line: Omit<CommandLine, 'flags'>): Promise<void> {
  const [name = '', ...words] = line.words
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return command.run(deps, words, line.switches)
  const known = Object.values(commands).map(({ usage }) => usage)
  throw new CannotStart(EXIT.badConfig, `unknown command ${name}; available commands: ${known.join(', ')}`)
}

async function resetLogin(deps: CommandDeps, words: readonly string[]): Promise<void> {
  if (words.length > 0) throw wrongWords('reset-login')
  await resetOptions(deps, loginOptions)
  deps.say('Password login is on, and human verification is off.')
}

/** Takes options out of the table, so that their defaults hold. */
async function resetOptions(deps: CommandDeps, keys: readonly string[]): Promise<void> {
  const unknown = keys.find((key) => !isOptionKey(key))
  if (unknown !== undefined) throw new CannotStart(EXIT.badConfig, `unknown option ${unknown}`)
  if (keys.length === 0) throw wrongWords('reset-options')
  await inFolder(deps, async (db, say) => {
    for (const key of keys.filter(isOptionKey)) {
      const { numDeletedRows } = await db.deleteFrom('options').where('key', '=', key).executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) {
        say(`${key} already has its default value.`)
        continue
      }
      await audit(deps, db, 'log.option_reset', { name: nested(labelOf(key)), key }, { option: key, reset: true })
      say(`${key} was reset to its default.`)
    }
  })
}

/** Gives somebody, without a name root, a new password that is shown once, and ends what the old one opened. */
async function resetPassword(deps: CommandDeps, [name, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0) throw wrongWords('reset-password')
  const password = randomKey(PASSWORD_LENGTH)
  const hash = await createPasswords().hash(password)
  await inFolder(deps, async (db, say) => {
    const user = await accountNamed(db, name)
    const change = { password: hash, status: userStatus.active, access_token_hash: null }
    await db.updateTable('users').set(change).where('id', '=', user.id).execute()
    await db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await audit(deps, db, 'log.password_reset', { name: user.username }, { password_of: user.username })
    say(`New password for ${user.username}: ${password}`)
    say('It is shown only once. The account is enabled, its sessions have ended and its access token is revoked.')
  })
}

/** Takes the second factors, passkeys among them, from somebody, without a name from root. */
async function resetFactors(deps: CommandDeps, [name, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0) throw wrongWords('reset-2fa')
  await inFolder(deps, async (db, say) => {
    const user = await accountNamed(db, name)
    const hadApp = await factorStore(db).remove(user.id)
    const passkeys = await passkeyStore(db).removeOf(user.id)
    if (!hadApp && passkeys === 0) {
      say(`${user.username} has no second factor.`)
      return
    }
    await audit(deps, db, 'log.user_factors', { name: user.username, id: user.id }, { factors_of: user.username })
    if (passkeys > 0) say(`Passkeys of ${user.username} that were removed: ${passkeys}`)
    say(`${user.username} can log in without a second factor.`)
  })
}

/** The account of this name, or root. */
async function accountNamed(db: Db, name: string | undefined): Promise<UserRow> {
  const users = userStore(db)
  const [root] = await users.withRole(role.root)
  const user = name === undefined ? root : await users.bySignInName(name)
  const problem = name === undefined ? 'the setup has not been completed yet' : `unknown user ${name}`
  if (!user) throw new CannotStart(EXIT.badConfig, problem)
  return user
}

/** Takes over what another gateway has (docs/operations.md#import). */
async function importFile(deps: CommandDeps, words: readonly string[], switches: readonly string[]): Promise<void> {
  const { config, clock, secrets, environment, say } = deps
  const [file, ...more] = words
  if (file === undefined || more.length > 0) throw wrongWords('import')
  const folder = config.DATA_DIR
  const problem = await withDatabase(deps, async (db) => {
    const vault = createVault(await secrets.dataKey())
    return importFromShell({ db, vault, clock, folder, file, switches, environment, say })
  })
  if (problem !== undefined) throw new CannotStart(EXIT.badData, problem)
}

type Work = (db: Db, say: (line: string) => void) => Promise<void>

/** Opens the database of a gateway that does not run, does all of the work or nothing, and then says what was done. */
async function inFolder(deps: CommandDeps, work: Work): Promise<void> {
  await withDatabase(deps, async (database) => {
    const lines: string[] = []
    await database.transaction().execute((db) => work(db, (line) => lines.push(line)))
    for (const line of lines) deps.say(line)
  })
}

async function withDatabase<T>({ config, clock }: CommandDeps, work: (db: Db) => Promise<T>): Promise<T> {
  const folder = config.DATA_DIR
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw new CannotStart(EXIT.badData, `no Switchyard database was found in ${folder}`)
  const database = await openDatabase(folder, unixSeconds(clock))
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

type AuditKey = 'log.option_reset' | 'log.password_reset' | 'log.user_factors'

/** A row for the administrators' log: what was done, by whoever has this machine's shell. */
async function audit(
  { clock }: CommandDeps,
  db: Db,
  messageKey: AuditKey,
  params: MessageParams,
  facts: object,
): Promise<void> {
  const actor = { id: 0, username: '' }
  await db
    .insertInto('logs')
    .values({
      user_id: 0,
      created_at: unixSeconds(clock),
      type: logType.manage,
      ...saidInLog([{ key: messageKey, params: { ...params, actor: nested('log.shell') } }], {
        admin_info: { ...facts, actor },
      }),
    })
    .execute()
}

const wrongWords = (name: keyof typeof commands) =>
  new CannotStart(EXIT.badConfig, `usage: ${commands[name]?.usage ?? name} [--data-dir <folder>]`)
