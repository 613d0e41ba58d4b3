import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { filesWith } from '../support/files-with.ts'
import { aFolder } from './house.ts'

const has = (program: string) => spawnSync(program, ['--version']).status === 0
const isHere = process.platform === 'linux' && has('gnome-keyring-daemon') && has('dbus-daemon')

/** A user's session: a bus without service activation, a keyring in a home folder, and starts of the desktop. */
async function aSession() {
  const home = await aFolder()
  const runtime = join(home, 'runtime')
  mkdirSync(runtime, { mode: 0o700 })
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(home, 'bus.conf'), bus(home))
  const { PATH = '' } = process.env
  const env = { PATH, HOME: home, XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: join(home, 'share') }
  const running = spawn('dbus-daemon', [`--config-file=${join(home, 'bus.conf')}`, '--nofork', '--print-address'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  ends(running)
  const [address] = await once(running.stdout, 'data')
  const DBUS_SESSION_BUS_ADDRESS = String(address).trim()
  return {
    home,
    data,
    /** Starts the daemon, which unlocks the keyring if a password is given. */
    async keyring(password?: string): Promise<ChildProcess> {
      const unlock = password === undefined ? [] : ['--unlock']
      const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...unlock], {
        env: { ...env, DBUS_SESSION_BUS_ADDRESS },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      ends(daemon)
      daemon.stdin?.end(password ?? '')
      while (!isOnBus({ ...env, DBUS_SESSION_BUS_ADDRESS })) await new Promise((resolve) => setTimeout(resolve, 20))
      return daemon
    },
    /** The result of a start of the desktop; `between` runs after the keychain is opened and before the key is read. */
    async start({ hasBus = true, args = [], between = async () => {} }: StartOf = {}): Promise<Found> {
      const file = join(import.meta.dirname, 'keychain-child.ts')
      const child = spawn(process.execPath, [file, ...args], {
        env: { ...env, DATA_DIR: data, ANSWER_MS: '30000', ...(hasBus ? { DBUS_SESSION_BUS_ADDRESS } : {}) },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      ends(child)
      let out = ''
      child.stdout.on('data', (part: Buffer) => {
        const isFirst = out === ''
        out += part
        if (isFirst && out.startsWith('opened')) void between().then(() => child.stdin.write('go on\n'))
      })
      await once(child, 'close')
      return JSON.parse(out.trim().split('\n').at(-1) ?? '')
    },
    /** Adds sealed data. */
    seals: () => writeFileSync(join(data, 'ledger.journal'), ''),
  }
}

type StartOf = { hasBus?: boolean; args?: string[]; between?: () => Promise<void> }
type Found = Readonly<{ kind?: string; key?: string; trouble?: string; said?: string }>

const bus = (home: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir=${home}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

const isOnBus = (env: Record<string, string>): boolean =>
  spawnSync('dbus-send', ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', NAMES], { env })
    .stdout.toString()
    .includes('org.freedesktop.secrets')
const NAMES = 'org.freedesktop.DBus.ListNames'

function ends(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
}

async function killed(daemon: ChildProcess): Promise<void> {
  daemon.kill('SIGKILL')
  if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, 'exit')
}

/** The real module with a real Secret Service; on a machine without one, the stand-in must suffice. */
describe.runIf(isHere)(`the system’s keychain${isHere ? '' : ' (skipped: no Secret Service here)'}`, () => {
  it('stores the data key, which is found by the next start, and after a restart of the keyring', async () => {
    const { home, data, keyring, start, seals } = await aSession()
    const daemon = await keyring('of the login')
    const first = await start()
    expect(first).toEqual({ kind: 'keychain', key: expect.stringMatching(/^[0-9a-f]{64}$/) })
    seals()
    expect(await start()).toEqual(first)
    await killed(daemon)
    await keyring('of the login')
    expect(await start()).toEqual(first)
    expect(existsSync(join(data, 'master.key'))).toBe(false)
    const plain = Buffer.from(first.key ?? '', 'hex')
    for (const text of [plain.toString('latin1'), plain.toString('base64'), first.key ?? ''])
      expect(filesWith(join(home, 'share'), text), 'the keyring is sealed').toEqual([])
    expect(readdirSync(data).sort()).toEqual(['installation-id', 'ledger.journal'])
    expect(statSync(join(data, 'installation-id')).mode & 0o077).toBe(0)
  })

  it('is reported as locked, and no key is created, even if the person has agreed', async () => {
    const { data, keyring, start, seals } = await aSession()
    const daemon = await keyring('of the login')
    const first = await start()
    seals()
    await killed(daemon)
    const locked = await keyring()
    for (const args of [[], ['--may-make-key']]) expect(await start({ args })).toMatchObject({ trouble: 'locked' })
    expect(existsSync(join(data, 'master.key'))).toBe(false)
    await killed(locked)
    await keyring('of the login')
    expect(await start()).toEqual(first)
  })

  it('is reported as silent where it ends before a new key is in it, and one is created there once it is back', async () => {
    const { data, keyring, start } = await aSession()
    const daemon = await keyring('of the login')
    const found = await start({ between: () => killed(daemon) })
    expect(found).toMatchObject({ trouble: 'silent' })
    expect(readdirSync(data)).toEqual([])
    await keyring('of the login')
    expect(await start()).toMatchObject({ kind: 'keychain' })
  })

  it('is reported as locked or silent where no service answers on the bus, and where there is no bus', async () => {
    const { data, start, seals } = await aSession()
    for (const hasBus of [true, false]) expect(await start({ hasBus })).toMatchObject({ trouble: 'silent' })
    expect(await start({ hasBus: false, args: ['--may-make-key'] })).toMatchObject({ kind: 'file' })
    const elsewhere = await aSession()
    elsewhere.seals()
    seals()
    for (const hasBus of [true, false])
      expect(await elsewhere.start({ hasBus, args: ['--may-make-key'] })).toMatchObject({ trouble: 'locked' })
    expect(existsSync(join(elsewhere.data, 'master.key'))).toBe(false)
    expect(statSync(join(data, 'master.key')).mode & 0o777).toBe(0o600)
  })
})
