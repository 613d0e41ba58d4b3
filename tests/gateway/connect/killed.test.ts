import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createConnectWriter } from '../../../gateway/connect/connect.ts'
import { aHome, program, target } from './a-home.ts'

const claude = program('claude-code')
const SETTINGS = '.claude/settings.json'
const OLD = '{\n  "env": { "ANTHROPIC_AUTH_TOKEN": "own-key", "ANTHROPIC_BASE_URL": "https://corp.example" }\n}\n'
const second = { address: 'http://127.0.0.1:7000', key: 'sk-another-key-of-mine', model: 'other' }
const repository = join(import.meta.dirname, '../../..')
type Home = ReturnType<typeof aHome>
const MOMENTS = ['before', 'after'] as const

/** Writes settings in a process that is killed before or after it replaces the file. */
function writeKilled({ machine, dataFolder }: Home, moment: (typeof MOMENTS)[number], wanted: object) {
  const script = `
import { createConnectWriter } from './gateway/connect/connect.ts'
import { replacePersonal } from './gateway/connect/disk.ts'
import { claudeCode } from './shared/connect/clients/claude-code.ts'
const replace = (...file) => {
  if (${moment === 'after'}) replacePersonal(...file)
  process.kill(process.pid, 'SIGKILL')
}
const writer = createConnectWriter({ ...${JSON.stringify({ machine, dataFolder })}, replace })
const wanted = ${JSON.stringify(wanted)}
writer.apply(claudeCode, wanted, writer.plan(claudeCode, wanted).seal)`
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: repository })
  expect(signal).toBe('SIGKILL')
}

const again = ({ machine, dataFolder }: Home) => createConnectWriter({ machine, dataFolder })
const textOf = (home: Home) => readFileSync(home.at(SETTINGS), 'utf8')
const copiesOf = ({ dataFolder }: Home) => readdirSync(join(dataFolder, 'connect-backups'))
function apply(home: Home, wanted = target) {
  const writer = again(home)
  writer.apply(claude, wanted, writer.plan(claude, wanted).seal)
}

describe.each(MOMENTS)('a kill %s the file is replaced (docs/reference/connect.md#undo)', (moment) => {
  it('leaves the first file to undo to, at the first write', () => {
    const home = aHome({ [SETTINGS]: OLD })
    writeKilled(home, moment, target)
    expect(textOf(home) === OLD).toBe(moment === 'before')
    again(home).undo(claude)
    expect([textOf(home), copiesOf(home)]).toEqual([OLD, []])
  })

  it('leaves it at a later write, and the state fits the file', () => {
    const home = aHome({ [SETTINGS]: OLD })
    apply(home)
    writeKilled(home, moment, second)
    const { address, isChanged, isMoved } = again(home).status(claude, second.address)
    expect({ address, isChanged, isMoved }).toEqual(
      moment === 'before'
        ? { address: target.address, isChanged: false, isMoved: true }
        : { address: second.address, isChanged: false, isMoved: false },
    )
    expect(again(home).undo(claude)).toEqual({ exact: true, kept: 0 })
    expect([textOf(home), copiesOf(home)]).toEqual([OLD, []])
  })

  it('leaves it although the write is repeated, or someone has changed the file since', () => {
    for (const isRepeated of [true, false]) {
      const home = aHome({ [SETTINGS]: OLD })
      apply(home)
      writeKilled(home, moment, second)
      if (isRepeated) apply(home, second)
      else writeFileSync(home.at(SETTINGS), textOf(home).replace('"env"', '"theme": "dark",\n  "env"'))
      expect(again(home).undo(claude)).toMatchObject({ exact: isRepeated, kept: 0 })
      expect(JSON.parse(textOf(home))).toEqual({ ...JSON.parse(OLD), ...(isRepeated ? {} : { theme: 'dark' }) })
    }
  })
})
