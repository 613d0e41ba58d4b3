import { ROOT_DISPLAY_NAME } from '../../../shared/api/setup.ts'
import { role, userStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { isSameSecret } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Passwords } from '../../base/secrets/passwords.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { SharedState } from '../../shared-state/shared-state.ts'
import { setupStore } from '../../store/accounts/setups.ts'
import { type NewUser, userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { checkPassword, checkUsername } from '../account-fields.ts'

export type SetupDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'move'>
  settings: Pick<Settings, 'set'>
  passwords: Passwords
  clock: Clock
  log: Logger
  version: string
  shared: Pick<SharedState, 'changes' | 'setupCode'>
  /** Counts a wrong code from this address; returns 0, or the seconds to wait. */
  wrongCodes: (ip: string) => MaybePromise<number>
}>

type SetupRequest = Readonly<{
  username: string
  password: string
  confirmPassword: string
  SelfUseModeEnabled: boolean
  DemoSiteEnabled: boolean
  code: string | undefined
  ip: string
}>

/** The first setup (docs/reference/accounts.md#first-setup): creates the root account and closes permanently. */
export interface Setup {
  isDone(): boolean
  /** Whether there is a root account; false while setup is open. */
  hasRoot(): boolean
  /** The one-time code every caller must provide; undefined once setup is done. */
  code(): string | undefined
  /**
   * Creates the root account if the code is right. A local address grants nothing, since behind a local proxy every
   * client has one. Only wrong codes are rate limited: 192 bits cannot be guessed, and a limit on the right one
   * would let anyone lock the owner out.
   */
  submit(request: SetupRequest): Promise<void>
  /** Calls `listener` when setup is done, on this node or on another one. */
  onDone(listener: () => void): void
}

const ROOT_QUOTA = 100_000_000

/**
 * Reads the state of this installation. If there is a root account but no `setups` row, the setup counts as done and
 * the row is added.
 */
export async function createSetup(deps: SetupDeps): Promise<Setup> {
  const { db, clock, passwords, version, wrongCodes, shared } = deps
  const setups = setupStore(db)
  let root = await userStore(db).anyWithRole(role.root)
  let done = await setups.isDone()
  if (root && !done) {
    await setups.add(version, unixSeconds(clock))
    done = true
  }
  const code = done ? '' : await shared.setupCode.read()
  const listeners: (() => void)[] = []
  const finish = () => {
    for (const listener of listeners.splice(0)) listener()
  }
  shared.changes.follow('setup', async () => {
    if (done || !(await setups.isDone())) return
    root = await userStore(db).anyWithRole(role.root)
    done = true
    finish()
  })
  return {
    isDone: () => done,
    hasRoot: () => root,
    code: () => (done ? undefined : code),
    async submit(input) {
      const isRight = !done && isSameSecret(input.code ?? '', code)
      const wait = isRight ? 0 : await wrongCodes(input.ip)
      if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
      if (!isRight) throw refuse('forbidden', done ? 'setup.done' : 'setup.code')
      const username = input.username.trim()
      checkFields(input, username)
      await makeRoot(deps, username, await passwords.hash(input.password))
      done = true
      root = true
      await storeModes(deps, input)
      await shared.setupCode.forget()
      finish()
    },
    onDone: (listener) => void listeners.push(listener),
  }
}

/** Checks in the order of docs/reference/accounts.md#first-setup. */
function checkFields({ password, confirmPassword }: SetupRequest, username: string): void {
  if (username === '') throw refuse('invalid', 'setup.need_user')
  checkUsername(username)
  if (password !== confirmPassword) throw refuse('invalid', 'pw.mismatch')
  checkPassword(password)
}

/**
 * One transaction writes the `setups` row, the account, its quota and the ledger row, so a crash leaves either nothing
 * or all of it. The key of `setups` admits only one of several concurrent callers.
 */
async function makeRoot({ db, ledger, clock, version }: SetupDeps, username: string, password: string): Promise<void> {
  const at = unixSeconds(clock)
  const users = userStore(db)
  if (await users.isTaken(username)) throw refuse('invalid', 'register.exists')
  const root: NewUser = {
    username,
    password,
    display_name: ROOT_DISPLAY_NAME,
    role: role.root,
    status: userStatus.active,
    created_at: at,
  }
  try {
    const id = await users.nextId(root)
    await ledger.move({
      kind: 'grant',
      userId: id,
      amount: ROOT_QUOTA,
      refType: 'setup',
      refId: String(id),
      together: async (transaction) => {
        await setupStore(transaction).add(version, at)
        await userStore(transaction).add({ ...root, id })
      },
    })
  } catch (cause) {
    if (await setupStore(db).isDone()) throw refuse('forbidden', 'setup.done', {}, { cause })
    throw cause
  }
}

/** The two modes are ordinary settings: if storing them fails, the console can still change them. */
async function storeModes({ settings, log }: SetupDeps, input: SetupRequest): Promise<void> {
  for (const key of ['SelfUseModeEnabled', 'DemoSiteEnabled'] as const) {
    try {
      await settings.set(key, String(input[key]), { id: 0, username: input.username.trim(), origin: 'setup' })
    } catch (error) {
      log.error('a choice of the first setup could not be stored', { option: key, error })
    }
  }
}
