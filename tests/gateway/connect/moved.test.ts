import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../gateway/base/clock.ts'
import { createConnectWriter } from '../../../gateway/connect/connect.ts'
import { createConnectService } from '../../../gateway/connect/connect-service.ts'
import { connectClient, connectClients } from '../../../shared/connect/clients.ts'
import type { ConnectPlan, ConnectProblem } from '../../../shared/connect/connect-protocol.ts'

const OLD = 'http://127.0.0.1:6411'
const NEW = 'http://127.0.0.1:6412'
const KEY = 'sk-0123456789abcdef0123456789abcdef'

/** What remains of Codex's configuration after undoing (docs/reference/connect.md#sessions). */
const LEFT = `[model_providers.switchyard]\nname = "Switchyard"\nbase_url = "${NEW}/v1"\nwire_api = "responses"\n`

/** A home folder with one data folder, and the service of a gateway at an address. */
function aHome() {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const machine = { platform: 'linux', home, variables: {} }
  const dataFolder = join(home, 'data')
  const writer = createConnectWriter({ machine, dataFolder })
  const setUp = (id: string, address: string) => {
    const client = connectClient(id)
    if (!client) throw new Error(`no client ${id}`)
    const target = { address, key: KEY, model: 'gpt-4o' }
    expect(writer.apply(client, target, writer.plan(client, target).seal)).toBeNull()
    return writer.status(client, address).paths
  }
  const fixtureAt = (address: string, isGiven = false) =>
    createConnectService({ address, dataFolder, clock: systemClock, machine, isGiven })
  return { home, setUp, fixtureAt }
}

const textsOf = (paths: readonly string[]) => paths.map((path) => readFileSync(path, 'utf8'))
const good = (answer: ConnectPlan | ConnectProblem): ConnectPlan => {
  if ('problem' in answer) throw new Error(answer.problem)
  return answer
}

describe('a gateway at another address (docs/reference/connect.md#another-address)', () => {
  it.each(connectClients.filter(({ files }) => files).map(({ id }) => id))(
    'is detected for %s; the program’s address is changed only once that was seen, and all of it can be undone',
    (client) => {
      const { setUp, fixtureAt } = aHome()
      const paths = setUp(client, OLD)
      const before = textsOf(paths)
      expect(fixtureAt(OLD).status()[client]).toMatchObject({ isMoved: false, address: OLD })
      const fixture = fixtureAt(NEW)
      expect(fixture.status()[client]).toMatchObject({ isMoved: true, address: OLD })
      expect(textsOf(paths)).toEqual(before)

      const plan = good(fixture.planMove({ client }))
      const lines = plan.files.flatMap((file) => file.lines)
      const changed = lines.filter(({ kind }) => kind !== 'kept').map(({ text }) => text)
      expect(changed.every((text) => text.includes('127.0.0.1'))).toBe(true)
      expect(JSON.stringify(lines)).not.toContain(KEY)
      expect(textsOf(paths)).toEqual(before)

      expect(fixture.move({ client, seal: plan.seal })).toEqual({ done: true })
      expect(textsOf(paths)).toEqual(before.map((text) => text.replaceAll(OLD, NEW)))
      expect(fixture.status()[client]).toMatchObject({ isMoved: false, isChanged: false, address: NEW })
      expect(good(fixture.planMove({ client })).files).toEqual([])

      const isCodex = client === 'codex'
      const undone = { exact: true, kept: 0 }
      expect(fixture.undo({ client })).toEqual(isCodex ? { ...undone, leavesProvider: true } : undone)
      // Codex's threads can be opened only while their provider exists.
      expect(textsOf(paths.filter((path) => existsSync(path)))).toEqual(isCodex ? [LEFT] : [])
    },
  )

  it('undoes to the bytes of before the first writing, comments and all', () => {
    const { home, setUp, fixtureAt } = aHome()
    const path = join(home, '.codex/config.toml')
    mkdirSync(dirname(path))
    const own = '# mine\nmodel = "o3" # the old one\n\n[tools]\nweb_search = true\n'
    writeFileSync(path, own)
    setUp('codex', OLD)
    const fixture = fixtureAt(NEW)
    const { seal } = good(fixture.planMove({ client: 'codex' }))
    expect(fixture.move({ client: 'codex', seal })).toEqual({ done: true })
    expect(readFileSync(path, 'utf8')).toContain(`base_url = "${NEW}/v1"`)
    expect(fixture.undo({ client: 'codex' })).toEqual({ exact: true, kept: 0, leavesProvider: true })
    expect(readFileSync(path, 'utf8')).toBe(`${own}\n${LEFT}`)
  })

  it('leaves an address that was set by hand since, and a file that is gone', () => {
    const { home, setUp, fixtureAt } = aHome()
    setUp('claude-code', OLD)
    setUp('codex', OLD)
    const path = join(home, '.claude/settings.json')
    const theirs = readFileSync(path, 'utf8').replace(OLD, 'https://elsewhere.example')
    writeFileSync(path, theirs)
    rmSync(join(home, '.codex/config.toml'))
    const fixture = fixtureAt(NEW)
    for (const client of ['claude-code', 'codex']) expect(good(fixture.planMove({ client })).files).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(theirs)
  })

  it('writes only the changes that were seen: a file that changed meanwhile is shown again', () => {
    const { home, setUp, fixtureAt } = aHome()
    setUp('claude-code', OLD)
    const fixture = fixtureAt(NEW)
    const { seal } = good(fixture.planMove({ client: 'claude-code' }))
    const path = join(home, '.claude/settings.json')
    const changed = `${readFileSync(path, 'utf8')}\n`
    writeFileSync(path, changed)
    expect(fixture.move({ client: 'claude-code', seal })).toMatchObject({ done: false, plan: { files: [{ path }] } })
    expect(readFileSync(path, 'utf8')).toBe(changed)
    for (const wrong of [
      undefined,
      {},
      { client: 'claude-code' },
      { client: '../x', seal },
      { client: 'cursor', seal },
    ])
      expect(fixture.move(wrong)).toMatchObject({ problem: 'input' })
  })

  it.each([
    ['http://localhost:6412', false],
    ['http://127.0.0.1:6412', false],
    ['http://127.0.0.2:6412', true],
    ['http://[::1]:6412', true],
    ['https://localhost:6412', true],
    ['http://localhost:6411', true],
  ])('at %s is another one than http://127.0.0.1:6412: %j', (address, isMoved) => {
    const { setUp, fixtureAt } = aHome()
    setUp('codex', address)
    expect(fixtureAt(NEW).status().codex).toMatchObject({ isMoved })
    expect(good(fixtureAt(NEW).planMove({ client: 'codex' })).files).toHaveLength(isMoved ? 1 : 0)
  })

  it('does not count if the address was given explicitly, until the program is set up for the address of here', async () => {
    const { fixtureAt } = aHome()
    const setUpAt = async (address: string, isGiven: boolean) => {
      const fixture = fixtureAt(address, isGiven)
      const ask = { client: 'codex', key: KEY, model: 'gpt-4o' }
      expect(await fixture.apply({ ...ask, seal: good(fixture.plan(ask)).seal })).toMatchObject({ done: true })
    }
    const isMoved = () => fixtureAt(NEW).status().codex
    await setUpAt('http://127.0.0.1:9', true)
    expect(isMoved()).toMatchObject({ isMoved: false, address: 'http://127.0.0.1:9' })
    await setUpAt('http://127.0.0.1:9', false)
    expect(isMoved(), 'the gateway of here has had that address').toMatchObject({ isMoved: true })
    await setUpAt('http://127.0.0.1:9', true)
    await setUpAt('http://127.0.0.1:7', false)
    expect(isMoved()).toMatchObject({ isMoved: true })
  })

  it('is not detected for programs whose files are gone, or contain another address by now', () => {
    const { home, setUp, fixtureAt } = aHome()
    for (const client of ['claude-code', 'codex', 'gemini-cli', 'opencode']) setUp(client, OLD)
    rmSync(join(home, '.codex'), { recursive: true })
    rmSync(join(home, '.gemini'), { recursive: true })
    writeFileSync(join(home, '.gemini'), 'of another program')
    const claude = join(home, '.claude/settings.json')
    writeFileSync(claude, readFileSync(claude, 'utf8').replace(OLD, 'https://elsewhere.example'))
    const opencode = join(home, '.config/opencode/opencode.json')
    writeFileSync(opencode, `${readFileSync(opencode, 'utf8')} broken`)
    const status = fixtureAt(NEW).status()
    for (const client of ['claude-code', 'codex', 'gemini-cli'])
      expect(status[client], client).toMatchObject({ isMoved: false })
    expect(status.opencode, 'it is there, and what is to be mended is said').toMatchObject({ isMoved: true })
    expect(fixtureAt(NEW).planMove({ client: 'opencode' })).toMatchObject({ problem: 'broken' })
  })

  it('takes the address of another machine for another gateway, and this machine by any of its names for itself', () => {
    const { setUp, fixtureAt } = aHome()
    setUp('claude-code', 'https://gateway.example.com')
    setUp('codex', 'http://localhost:6411')
    const status = fixtureAt(NEW).status()
    expect(status['claude-code']).toMatchObject({ isMoved: false, address: 'https://gateway.example.com' })
    expect(status.codex).toMatchObject({ isMoved: true, address: 'http://localhost:6411' })
  })
})
