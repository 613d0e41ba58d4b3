import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../gateway/base/clock.ts'
import { noSystemProxy } from '../../gateway/base/network/system-proxy.ts'
import { readCommandConfig } from '../../gateway/command-line/command-config.ts'
import { commandIn, runCommand } from '../../gateway/command-line/run-command.ts'
import { headlessSecrets } from '../../gateway/secrets.ts'
import { CannotStart } from '../../gateway/store/sqlite/database.ts'
import { aWorld } from '../support/world.ts'
import { aProcess } from './child.ts'

/** A running gateway with a model and a key, and a separate home for the command. */
async function aShell() {
  const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ models: 'gpt-4o' })
  const alice = await world.user({ quota: 1_000_000 })
  const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const key = `sk-${await alice.key()}`
  const { port } = new URL(world.url)
  const environment = { HOME: home, USERPROFILE: home, PORT: port, XDG_CONFIG_HOME: '', CODEX_HOME: '' }
  const inProcess = (words: readonly string[]) =>
    aProcess({ folder: world.folder, args: ['connect', ...words], config: environment }).ended
  const run = async (words: readonly string[], config: Record<string, string> = {}) => {
    const lines: string[] = []
    const given = { DATA_DIR: world.folder, ...environment, ...config }
    const print = (line: string) => void lines.push(`${line}\n`)
    const end = (code: number, err = '') => ({ code, err, out: lines.join('') })
    try {
      const line = commandIn(['connect', ...words])
      if (!line) throw new Error('it is a command')
      const config = readCommandConfig(given, line.flags)
      const readHidden = async () => undefined
      const secrets = headlessSecrets(config)
      const goOut = () => noSystemProxy
      const deps = { config, clock: systemClock, secrets, environment: given, print, readHidden, goOut }
      return end(await runCommand(deps, line))
    } catch (error) {
      if (!(error instanceof CannotStart)) throw error
      return end(error.exitCode, error.message)
    }
  }
  return { world, home, key, run, inProcess, codex: join(home, '.codex/config.toml') }
}

describe('switchyard connect (docs/reference/connect.md#command)', () => {
  it('shows the planned changes, writes them, tries them while the gateway runs, and undoes them', async () => {
    const { world, home, key, run, inProcess, codex } = await aShell()
    const words = ['codex', `--key=${key}`, '--model=gpt-4o']
    const dry = await inProcess([...words, '--dry-run'])
    expect([dry.code, dry.err, existsSync(codex)]).toEqual([0, '', false])
    const threads = 'Codex remembers the provider of each thread. '
    expect(dry.out).toMatch(new RegExp(`^${threads}.+: codex resume <id>\n`))
    expect(dry.out).toContain(`New file ${codex}\n+ model = "gpt-4o"\n`)
    expect(dry.out).not.toContain(key)
    const done = await inProcess(words)
    expect([done.code, done.err]).toEqual([0, ''])
    expect(done.out).toMatch(
      /It works: the test request was answered in \d+ ms\.\nTo undo: switchyard connect codex --undo\n$/,
    )
    expect(readFileSync(codex, 'utf8')).toContain(`base_url = "${world.url}/v1"`)
    expect(world.upstream.requests).toHaveLength(1)
    const again = await run(words)
    expect(again.out).toContain('Everything is set up already.')
    const list = await run(['--list'])
    expect(list.out).toContain(`codex          Codex: set up (${codex})`)
    expect(list.out).toContain(`claude-code    Claude Code: not set up (${join(home, '.claude/settings.json')})`)
    expect(list.out).toContain('cursor         Cursor: in its own settings')
    const whole = readFileSync(codex, 'utf8')
    const dryUndo = await run(['codex', '--undo', '--dry-run'])
    expect([dryUndo.code, dryUndo.out.startsWith(threads)]).toEqual([0, true])
    expect(dryUndo.out).toContain(`\nTo be undone: ${codex}\n`)
    expect(readFileSync(codex, 'utf8')).toBe(whole)
    const undone = await inProcess(['codex', '--undo'])
    expect([undone.code, undone.out.startsWith(threads)]).toEqual([0, true])
    expect(undone.out).toMatch(
      /\nThe provider “switchyard” stays without its key.+\nEverything else is as it was before\.\n$/,
    )
    expect(readFileSync(codex, 'utf8')).toBe(whole.slice(whole.indexOf('[')).replace(/experimental.*\n/, ''))
    const claude = ['claude-code', `--key=${key}`, '--model=gpt-4o']
    expect((await run(claude)).out).not.toContain('thread')
    expect((await run(['claude-code', '--undo'])).out).toBe('Every file is as it was before.\n')
    expect(existsSync(join(home, '.claude'))).toBe(false)
  })

  it('leads programs from an old port to the current one, each change shown, and nothing before it is requested', async () => {
    const { key, run, codex } = await aShell()
    const model = '--model=gpt-4o'
    await run(['codex', `--key=${key}`, model], { PORT: '1' })
    const old = readFileSync(codex, 'utf8')
    expect((await run(['--list'])).out).toContain('Codex: set up, at the old address http://127.0.0.1:1 (')
    const dry = await run(['--update', '--dry-run'])
    expect(dry.out).toMatch(
      /-\s+base_url = "http:\/\/127\.0\.0\.1:1\/v1"\n\+\s+base_url = "http:\/\/127\.0\.0\.1:\d+\/v1"/,
    )
    expect(readFileSync(codex, 'utf8')).toBe(old)
    const done = await run(['--update'])
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('To undo: switchyard connect codex --undo\n')])
    expect(readFileSync(codex, 'utf8')).not.toContain('http://127.0.0.1:1/v1')
    expect((await run(['codex', '--update'])).out).toBe('No program that is set up points at an old address.\n')
    expect((await run(['codex', '--undo'])).out).toContain('\nEverything else is as it was before.\n')
    expect(readFileSync(codex, 'utf8')).not.toContain(key)
  })

  it('takes the address that was named, the usual one too, before the port that was chosen on the desktop', async () => {
    const { world, run } = await aShell()
    writeFileSync(join(world.folder, 'desktop.json'), '{"port":7000}')
    const usual = 'http://127.0.0.1:6411'
    for (const [port, words, address] of [
      ['', [], 'http://127.0.0.1:7000'],
      ['', ['--port=6411'], usual],
      ['6411', [], usual],
      ['7001', ['--port', '6411'], usual],
      ['', [`--url=${usual}`], usual],
      ['', ['--host=::1'], 'http://[::1]:7000'],
    ] as const)
      expect((await run(['cherry', ...words], { PORT: port })).out).toContain(`Base URL: ${address}/v1 `)
    // An empty key is ignored.
    const key = await run(['codex', '--key=', '--dry-run', '--model=m'], { SWITCHYARD_KEY: 'sk-a1234567890' })
    expect([key.code, key.err]).toEqual([0, ''])
  })

  it('leaves an address that --url has set, and lists it unchanged', async () => {
    const { key, run, codex } = await aShell()
    await run(['codex', `--key=${key}`, '--model=gpt-4o', '--url=http://127.0.0.1:1'])
    const old = readFileSync(codex, 'utf8')
    for (const more of [[], ['--url=http://127.0.0.1:2']])
      expect((await run(['--list', ...more])).out).toContain(`Codex: set up (${codex}), tried with `)
    expect((await run(['--update'])).out).toBe('No program that is set up points at an old address.\n')
    expect(readFileSync(codex, 'utf8')).toBe(old)
  })

  it('answers in JSON, takes the key from the environment and the address from --url', async () => {
    const { world, key, run, codex } = await aShell()
    const done = await run(['codex', '--model=gpt-4o', `--url=${world.url}/v1/`, '--json'], {
      SWITCHYARD_KEY: key,
      PORT: '1',
    })
    expect(JSON.parse(done.out)).toEqual({
      client: 'codex',
      files: [codex],
      trial: { ok: true, ms: expect.any(Number) },
    })
    const statuses: { id: string; status: object | null }[] = JSON.parse((await run(['--list', '--json'])).out)
    expect(statuses.find(({ id }) => id === 'codex')?.status).toEqual({
      isSetUp: true,
      isChanged: false,
      paths: [codex],
      address: world.url,
      isMoved: false,
    })
    writeFileSync(codex, `${readFileSync(codex, 'utf8')}# mine\n`)
    expect((await run(['--list'])).out).toContain('Codex: set up, changed since')
    expect(JSON.parse((await run(['codex', '--undo', '--json'])).out)).toEqual({
      client: 'codex',
      exact: false,
      kept: 0,
      leavesProvider: true,
    })
    expect(readFileSync(codex, 'utf8')).toMatch(/^\n\[model_providers\.switchyard\]\n(?!.*token).+\n# mine\n$/s)
  })

  it('ends with 1 where a file is left unchanged or the test request fails, and reports which', async () => {
    const { run, home, key } = await aShell()
    const words = ['aider', '--model=gpt-4o']
    const refused = await run([...words, '--key=sk-of-nobody-1234567890'])
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringContaining('Aider is set up, but the test request failed: '),
    ])
    await run(['aider', '--undo'])
    writeFileSync(join(home, '.aider.conf.yml'), 'a: [\n')
    const broken = await run([...words, `--key=${key}`])
    expect([broken.code, broken.out]).toEqual([1, ''])
    expect(broken.err).toMatch(/^The file \S+\.aider\.conf\.yml is not valid \(2:1 \w+\)\. Nothing was written\./)
    expect(readFileSync(join(home, '.aider.conf.yml'), 'utf8')).toBe('a: [\n')
  })

  it('ends with 2 for unknown words, with the known ones', async () => {
    const { run, inProcess } = await aShell()
    for (const [words, said] of [
      [[], 'programs: claude-code, codex'],
      [['nothing'], 'programs: claude-code, codex'],
      [['codex'], 'name one of your API tokens'],
      [['codex', '--key=sk-a1234567890'], 'name the model'],
      [['codex', '--undo'], 'Codex was not set up from here'],
      [['codex', '--key=sk-a', '--model=m', '--url=ftp://x'], '--url must be the address of a gateway'],
    ] as const) {
      const { code, err, out } = await run(words)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(said)
    }
    const cherry = await run(['cherry'])
    expect([cherry.code, cherry.out]).toEqual([0, expect.stringContaining('no file is written')])
    const refused = await inProcess(['codex', '--path=/etc/passwd'])
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain("Unknown option '--path'")
    expect((await inProcess(['--help'])).out).toContain('switchyard connect <program> [--key <key>]')
  })
})
