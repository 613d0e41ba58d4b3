import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createConnectService } from '../../gateway/connect/connect-service.ts'
import { openBridge } from '../../main/bridge.ts'
import { connectClients } from '../../shared/connect/clients.ts'
import type { Desktop } from '../../shared/desktop.ts'
import { aClock } from '../support/clock.ts'
import { electron } from '../support/electron.ts'

type Listener = (event: object, ...given: unknown[]) => unknown
/** Both ends of the bridge in one process: values from a page are copied as Electron copies them. */
const listeners = new Map<string, Listener>()
const exposed = new Map<string, unknown>()
const listen = (channel: string, listener: Listener) => void listeners.set(channel, listener)
const invoke = async (channel: string, ...given: unknown[]) =>
  listeners.get(channel)?.(frame(`${origin}/`), ...structuredClone(given))
Object.assign(electron, {
  ipcMain: { handle: listen, on: listen },
  ipcRenderer: { invoke, send: invoke },
  contextBridge: { exposeInMainWorld: (name: string, api: unknown) => void exposed.set(name, api) },
})

const origin = 'http://127.0.0.1:6411'
const frame = (url: string, parent: object | null = null) => ({ senderFrame: { url, parent } })
const report = (channel: string, event: object, ...given: unknown[]) => listeners.get(channel)?.(event, ...given)

describe('the bridge between the window and the shell (docs/reference/security.md#desktop)', () => {
  const tags: string[] = []
  const ticket = { secret: 'a-secret', userId: 1 }
  const begun = { id: 'an-id', verifier: 'a-verifier' }
  let opened = 0
  let updates = 0
  let lockedOut = 0
  const received: unknown[] = []
  const problem = { problem: 'input', path: '', detail: '' } as const
  const heard = (request: unknown) => {
    received.push(request)
    return problem
  }
  const connect = {
    status: () => ({}),
    plan: heard,
    apply: async (request: unknown) => heard(request),
    undo: heard,
    planMove: heard,
    move: heard,
  }
  openBridge({
    origin,
    ticket: async () => ticket,
    handover: () => begun,
    openPersonal: () => {
      opened += 1
    },
    openUpdates: () => {
      updates += 1
    },
    openLockedOut: () => {
      lockedOut += 1
    },
    connect,
    onLanguage: (tag) => void tags.push(tag),
  })

  it('has these messages and no other', () => {
    expect([...listeners.keys()].sort()).toEqual([
      'connect.apply',
      'connect.move',
      'connect.plan',
      'connect.planMove',
      'connect.status',
      'connect.undo',
      'desktop.handover',
      'desktop.language',
      'desktop.lockedOut',
      'desktop.personal',
      'desktop.ticket',
      'desktop.updates',
    ])
  })

  it('opens the browser only for the page of the gateway, and never at an address the page chooses', () => {
    expect(report('desktop.handover', frame(`${origin}/login`), 'https://elsewhere.example/')).toEqual(begun)
    report('desktop.personal', frame(`${origin}/personal`), 'https://elsewhere.example/')
    for (const stranger of [frame('https://elsewhere.example/'), frame(`${origin}/`, { url: `${origin}/` })]) {
      expect(report('desktop.handover', stranger)).toBeNull()
      report('desktop.personal', stranger)
    }
    expect(opened).toBe(1)
  })

  const connectChannels = ['connect.plan', 'connect.apply', 'connect.undo', 'connect.planMove', 'connect.move']

  it.each(['desktop.updates', 'desktop.lockedOut'])(
    'opens its own page to the page of the gateway only: %s',
    (channel) => {
      updates = 0
      lockedOut = 0
      report(channel, frame(`${origin}/login`))
      for (const stranger of [frame('https://elsewhere.example/'), frame(`${origin}/`, { url: `${origin}/` })])
        report(channel, stranger)
      expect([updates, lockedOut]).toEqual(channel === 'desktop.updates' ? [1, 0] : [0, 1])
    },
  )

  it('calls the connect service only for the page of the gateway, with any arguments of the page', async () => {
    const strangers = [
      { senderFrame: null },
      frame('https://elsewhere.example/'),
      frame(`${origin}/`, { url: `${origin}/` }),
    ]
    for (const channel of ['connect.status', ...connectChannels])
      for (const stranger of strangers) expect(await report(channel, stranger, { client: 'codex' })).toBeNull()
    expect(received).toEqual([])
    const own = frame(`${origin}/connect/client`)
    expect(report('connect.status', own)).toEqual({})
    for (const channel of connectChannels) expect(await report(channel, own, { client: channel })).toEqual(problem)
    expect(received).toEqual(connectChannels.map((client) => ({ client })))
  })

  it('hands a ticket only to the page of the gateway', async () => {
    expect(await report('desktop.ticket', frame(`${origin}/token`))).toEqual(ticket)
    for (const stranger of [
      { senderFrame: null },
      frame('http://127.0.0.1:6412/'),
      frame('https://127.0.0.1:6411/'),
      frame('data:text/html,hello'),
      frame(`blob:${origin}/0a1b`),
      frame(`${origin}/`, { url: `${origin}/` }),
    ])
      expect(await report('desktop.ticket', stranger)).toBeNull()
  })

  it('receives a language from that page, and accepts only a text', () => {
    report('desktop.language', frame(`${origin}/`), 'zh-CN')
    report('desktop.language', frame(`${origin}/`), { toString: () => 'en' })
    report('desktop.language', frame('https://elsewhere.example/'), 'en')
    expect(tags).toEqual(['zh-CN'])
  })
})

/** All functions below an object, by path. */
const functionsOf = (from: object, path = ''): [string, (...given: unknown[]) => unknown][] =>
  Object.entries(from).flatMap(([name, value]) => {
    if (typeof value === 'function') return [[path + name, value]]
    return typeof value === 'object' && value !== null ? functionsOf(value, `${path}${name}.`) : []
  })

const PER_FUNCTION = 200
const words = [
  '',
  'codex',
  '../../x',
  '/etc/passwd',
  '\0',
  '__proto__',
  'constructor',
  '$HOME',
  'a'.repeat(70_000),
  '\ud800',
]
const clients = connectClients.map(({ id }) => id)

/**
 * A value that a hostile page may pass: of any type, deeply nested, with the names of our fields and unusual numbers.
 */
function strangeValue(turn: number): unknown {
  const word = words[turn % words.length]
  const client = clients[turn % clients.length]
  const kinds = [
    undefined,
    null,
    Number.NaN,
    -turn,
    BigInt(turn),
    word,
    [word, turn],
    new Map([[word, turn]]),
    new Date(turn),
    new Error(word),
    new Uint8Array(turn),
    { client, key: word, model: word },
    { client, key: 'sk-1', model: 'm', seal: '0'.repeat(64), path: word, address: word },
    { client: { toString: () => 'codex' }, key: [], model: {} },
    { client: [client], key: turn, model: null, seal: word },
    JSON.parse(`{"__proto__":{"client":"codex"},"client":"${client}","key":"k${turn}","model":"m"}`),
    nested(turn),
    () => word,
    Symbol('x'),
  ]
  return kinds[turn % kinds.length]
}

function nested(depth: number): unknown {
  let inner: unknown = depth
  for (let at = 0; at < depth; at += 1) inner = { client: inner }
  return inner
}

/** Every file below a folder, with its contents. */
const everything = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => `${path} ${readFileSync(path, 'latin1')}`)
    .sort()

describe('the functions of the console’s page other than HTTP (docs/reference/security.md#desktop)', () => {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-preload-'))
  const home = join(root, 'home')
  const tags: unknown[] = []
  afterAll(() => {
    vi.unstubAllGlobals()
    rmSync(root, { recursive: true })
  })
  beforeAll(async () => {
    mkdirSync(join(home, '.codex'), { recursive: true })
    writeFileSync(join(home, '.codex/config.toml'), 'model = "mine"\n')
    vi.stubGlobal('document', { documentElement: { lang: 'en' } })
    vi.stubGlobal(
      'MutationObserver',
      class {
        observe() {}
      },
    )
    openBridge({
      origin: origin,
      ticket: async () => null,
      handover: () => null,
      openPersonal() {},
      openUpdates() {},
      openLockedOut() {},
      connect: createConnectService({
        address: origin,
        dataFolder: join(root, 'data'),
        clock: aClock(),
        machine: { platform: 'linux', home, variables: {} },
      }),
      onLanguage: (tag) => void tags.push(tag),
    })
    await import('../../main/preload.ts')
  })
  const desktop = () => exposed.get('desktop') as Desktop

  it('are these functions, which take no channel and expose no event', () => {
    expect([...exposed.keys()]).toEqual(['desktop'])
    const names = functionsOf(desktop()).map(([name]) => name)
    expect(names).toEqual([
      'ticket',
      'handover',
      'openPersonal',
      'openUpdates',
      'openLockedOut',
      'connect.status',
      'connect.plan',
      'connect.apply',
      'connect.undo',
      'connect.planMove',
      'connect.move',
    ])
    expect(names.length).toBeLessThanOrEqual(15)
    expect(Object.isFrozen(desktop()) && Object.isFrozen(desktop().connect)).toBe(true)
  })

  it(`end well with ${PER_FUNCTION} absurd values each, and write nothing outside of the data folder`, async () => {
    const before = everything(home)
    for (const [name, call] of functionsOf(desktop())) {
      for (let turn = 0; turn < PER_FUNCTION; turn += 1) {
        const result = await Promise.resolve()
          .then(() => call(strangeValue(turn), strangeValue(turn + 7)))
          .catch((error: Error) => error)
        // Values that cannot be copied never leave the page.
        if (result instanceof Error) expect(result.name, `${name} ${turn}: ${result.stack}`).toBe('DataCloneError')
      }
    }
    expect(everything(home)).toEqual(before)
    expect(readdirSync(root).filter((name) => !['home', 'data'].includes(name))).toEqual([])
  })

  it('reach the listener of the language as well, which accepts only texts', () => {
    const own = frame(`${origin}/`)
    for (let turn = 0; turn < PER_FUNCTION; turn += 1)
      listeners.get('desktop.language')?.(own, strangeValue(turn), strangeValue(turn + 1))
    expect(tags.length).toBeGreaterThan(0)
    expect(tags.every((tag) => typeof tag === 'string')).toBe(true)
  })
})
