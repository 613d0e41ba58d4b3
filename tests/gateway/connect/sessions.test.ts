import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aHome, program, target } from './a-home.ts'

const codex = program('codex')
const CONFIG = '.codex/config.toml'
const MINE = '# My settings\nmodel = "gpt-5.5" # the usual one\n\n[tools]\nsearch   =   true\n'
/** The provider without which Codex cannot open a thread that names it. */
const PROVIDER = `[model_providers.switchyard]
name = "Switchyard"
base_url = "${target.address}/v1"
wire_api = "responses"
`
type Home = ReturnType<typeof aHome>

function setUp({ connector }: Home, wanted = target) {
  expect(connector.apply(codex, wanted, connector.plan(codex, wanted).seal)).toBeNull()
}
const configOf = (home: Home) => readFileSync(home.at(CONFIG), 'utf8')

describe('threads of Codex after undoing (docs/reference/connect.md#sessions)', () => {
  it('leaves the provider that they name, without the key, and every other byte as before', () => {
    const home = aHome({ [CONFIG]: MINE })
    setUp(home)
    expect(home.connector.undo(codex)).toEqual({ exact: true, kept: 0, leavesProvider: true })
    expect(configOf(home)).toBe(`${MINE}\n${PROVIDER}`)
    expect(home.connector.status(codex, target.address).isSetUp).toBe(false)
  })

  it('leaves a file of ours with the provider and nothing else', () => {
    const home = aHome()
    setUp(home)
    expect(home.connector.undo(codex)).toEqual({ exact: true, kept: 0, leavesProvider: true })
    expect(configOf(home)).toBe(PROVIDER)
    expect(readdirSync(home.at('.codex'))).toEqual(['config.toml'])
  })

  it('preserves the remains of an earlier undo byte for byte, for another address too', () => {
    const home = aHome({ [CONFIG]: `${MINE}\n${PROVIDER}` })
    for (const address of [target.address, 'http://127.0.0.1:7000']) {
      setUp(home, { ...target, address })
      expect(home.connector.undo(codex)).toEqual({ exact: true, kept: 0 })
      expect(configOf(home)).toBe(`${MINE}\n${PROVIDER}`)
    }
  })

  it('leaves the address that was written last', () => {
    const home = aHome({ [CONFIG]: MINE })
    setUp(home)
    setUp(home, { ...target, address: 'http://127.0.0.1:7000' })
    home.connector.undo(codex)
    expect(configOf(home)).toBe(`${MINE}\n${PROVIDER.replace('6411', '7000')}`)
  })

  it('leaves it in a file that was changed since, unless it was removed there', () => {
    const home = aHome({ [CONFIG]: MINE })
    setUp(home)
    writeFileSync(home.at(CONFIG), `# theirs\n${configOf(home)}`)
    expect(home.connector.undo(codex)).toEqual({ exact: false, kept: 0, leavesProvider: true })
    expect(configOf(home)).toBe(`# theirs\n${MINE}\n${PROVIDER}`)
    setUp(home)
    writeFileSync(home.at(CONFIG), configOf(home).split('\n[model_providers', 1).join(''))
    expect(home.connector.undo(codex)).toEqual({ exact: false, kept: 0 })
    expect(configOf(home)).toBe(`# theirs\n${MINE}`)
  })

  it('removes ours where the file no longer has a table for the provider', () => {
    const home = aHome()
    setUp(home)
    writeFileSync(home.at(CONFIG), `${configOf(home).split('\n[model_providers', 1).join('')}model_providers = {}\n`)
    expect(home.connector.undo(codex)).toEqual({ exact: false, kept: 0 })
    expect(configOf(home)).toBe('model_providers = {}\n')
  })
})
