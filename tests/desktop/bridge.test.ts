import { describe, expect, it, vi } from 'vitest'
import { openBridge } from '../../main/bridge.ts'

type Listener = (event: object, ...given: unknown[]) => unknown
const { listeners } = vi.hoisted(() => ({ listeners: new Map<string, Listener>() }))
vi.mock('electron', () => {
  const listen = (channel: string, listener: Listener) => void listeners.set(channel, listener)
  return { ipcMain: { handle: listen, on: listen } }
})

const origin = 'http://127.0.0.1:6411'
const frame = (url: string, parent: object | null = null) => ({ senderFrame: { url, parent } })
const tell = (channel: string, event: object, ...given: unknown[]) => listeners.get(channel)?.(event, ...given)

describe('the bridge between the window and the shell (docs/reference/security.md#desktop)', () => {
  const tags: string[] = []
  const ticket = { secret: 'a-secret', userId: 1 }
  const begun = { id: 'an-id', verifier: 'a-verifier' }
  let opened = 0
  let updates = 0
  const asked: unknown[] = []
  const problem = { problem: 'input', path: '', detail: '' } as const
  const heard = (ask: unknown) => {
    asked.push(ask)
    return problem
  }
  const connect = {
    status: () => ({}),
    plan: heard,
    apply: async (ask: unknown) => heard(ask),
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
      'desktop.personal',
      'desktop.ticket',
      'desktop.updates',
    ])
  })

  it('opens the browser for the page of the gateway alone, and at no address of its choice', () => {
    expect(tell('desktop.handover', frame(`${origin}/login`), 'https://elsewhere.example/')).toEqual(begun)
    tell('desktop.personal', frame(`${origin}/personal`), 'https://elsewhere.example/')
    for (const stranger of [frame('https://elsewhere.example/'), frame(`${origin}/`, { url: `${origin}/` })]) {
      expect(tell('desktop.handover', stranger)).toBeNull()
      tell('desktop.personal', stranger)
    }
    expect(opened).toBe(1)
  })

  const desk = ['connect.plan', 'connect.apply', 'connect.undo', 'connect.planMove', 'connect.move']

  it('shows the page of updates to the page of the gateway alone', () => {
    tell('desktop.updates', frame(`${origin}/setting`))
    for (const stranger of [frame('https://elsewhere.example/'), frame(`${origin}/`, { url: `${origin}/` })])
      tell('desktop.updates', stranger)
    expect(updates).toBe(1)
  })

  it('asks the desk of programs for the page of the gateway alone, with whatever the page says', async () => {
    const strangers = [
      { senderFrame: null },
      frame('https://elsewhere.example/'),
      frame(`${origin}/`, { url: `${origin}/` }),
    ]
    for (const channel of ['connect.status', ...desk])
      for (const stranger of strangers) expect(await tell(channel, stranger, { client: 'codex' })).toBeNull()
    expect(asked).toEqual([])
    const own = frame(`${origin}/connect/client`)
    expect(tell('connect.status', own)).toEqual({})
    for (const channel of desk) expect(await tell(channel, own, { client: channel })).toEqual(problem)
    expect(asked).toEqual(desk.map((client) => ({ client })))
  })

  it('hands a ticket to the page of the gateway alone', async () => {
    expect(await tell('desktop.ticket', frame(`${origin}/token`))).toEqual(ticket)
    for (const stranger of [
      { senderFrame: null },
      frame('http://127.0.0.1:6412/'),
      frame('https://127.0.0.1:6411/'),
      frame('data:text/html,hello'),
      frame(`${origin}/`, { url: `${origin}/` }),
    ])
      expect(await tell('desktop.ticket', stranger)).toBeNull()
  })

  it('hears a language from that page, and only a text', () => {
    tell('desktop.language', frame(`${origin}/`), 'zh-CN')
    tell('desktop.language', frame(`${origin}/`), { toString: () => 'en' })
    tell('desktop.language', frame('https://elsewhere.example/'), 'en')
    expect(tags).toEqual(['zh-CN'])
  })
})
