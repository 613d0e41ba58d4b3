import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createConnectWriter } from '../../../gateway/connect/connect.ts'
import { LeftAlone, replacePersonal } from '../../../gateway/connect/disk.ts'
import { aHome, program, target } from './a-home.ts'

const claude = program('claude-code')
const codex = program('codex')
const gemini = program('gemini-cli')
const SETTINGS = '.claude/settings.json'
const OLD = '{\n  "env": { "ANTHROPIC_MODEL": "mine" }\n}\n'
type Home = ReturnType<typeof aHome>

function setUp(home: Home, client = claude, wanted = target) {
  const { seal } = home.connector.plan(client, wanted)
  return home.connector.apply(client, wanted, seal)
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const problemOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof LeftAlone) return [error.problem, error.detail]
    throw error
  }
  return null
}
/** Every file of the home folder, with its bytes. */
const all = ({ home }: Home) =>
  readdirSync(home, { recursive: true })
    .map(String)
    .filter((path) => lstatSync(join(home, path)).isFile())
    .sort()
    .map((path) => [path, readFileSync(join(home, path), 'latin1')])

describe('writing into the file of a program (docs/reference/connect.md#bytes)', () => {
  it('creates a new file with access for its owner only, and undoing removes it with its folders', () => {
    const home = aHome()
    expect(setUp(home)).toBeNull()
    expect(modeOf(home.at(SETTINGS))).toBe('600')
    expect(modeOf(home.at('.claude'))).toBe('700')
    expect(JSON.parse(readFileSync(home.at(SETTINGS), 'utf8')).env.ANTHROPIC_AUTH_TOKEN).toBe(target.key)
    expect(home.connector.status(claude, target.address)).toMatchObject({
      isSetUp: true,
      isChanged: false,
      paths: [home.at(SETTINGS)],
    })
    expect(home.connector.undo(claude)).toEqual({ exact: true, kept: 0 })
    expect(readdirSync(home.home)).toEqual([])
    expect(home.connector.status(claude, target.address)).toMatchObject({
      isSetUp: false,
      isChanged: false,
      paths: [home.at(SETTINGS)],
    })
  })

  it('leaves a folder that contains other files by now', () => {
    const home = aHome()
    setUp(home)
    writeFileSync(home.at('.claude/other'), '')
    home.connector.undo(claude)
    expect(readdirSync(home.at('.claude'))).toEqual(['other'])
  })

  it('denies other users a file that holds a key, and its copy, and restores the mode when undone', () => {
    const home = aHome({ [SETTINGS]: OLD })
    chmodSync(home.at(SETTINGS), 0o664)
    setUp(home)
    expect(modeOf(home.at(SETTINGS))).toBe('600')
    const [copy = ''] = readdirSync(join(home.dataFolder, 'connect-backups'))
    expect(readFileSync(join(home.dataFolder, 'connect-backups', copy), 'utf8')).toBe(OLD)
    expect(modeOf(join(home.dataFolder, 'connect-backups', copy))).toBe('600')
    expect(modeOf(join(home.dataFolder, 'connect.json'))).toBe('600')
    expect(home.connector.undo(claude)).toEqual({ exact: true, kept: 0 })
    expect([readFileSync(home.at(SETTINGS), 'utf8'), modeOf(home.at(SETTINGS))]).toEqual([OLD, '664'])
    expect(readdirSync(join(home.dataFolder, 'connect-backups'))).toEqual([])
  })

  it('follows links, of the file and of its folder, and leaves them links', () => {
    const home = aHome({ 'dotfiles/claude.json': OLD, 'dotfiles/codex/config.toml': 'model = "x"\n' })
    mkdirSync(home.at('.claude'))
    symlinkSync('../dotfiles/claude.json', home.at(SETTINGS))
    symlinkSync('dotfiles/codex', home.at('.codex'))
    setUp(home)
    setUp(home, codex)
    expect(readlinkSync(home.at(SETTINGS))).toBe('../dotfiles/claude.json')
    expect(readFileSync(home.at('dotfiles/claude.json'), 'utf8')).toContain(target.key)
    expect(readFileSync(home.at('dotfiles/codex/config.toml'), 'utf8')).toContain(target.key)
    home.connector.undo(claude)
    home.connector.undo(codex)
    expect(readlinkSync(home.at(SETTINGS))).toBe('../dotfiles/claude.json')
    const left = expect.stringMatching(/^model = "x"\n\n\[model_providers\.switchyard\]\n(?!.*token)/s)
    expect(all(home)).toEqual([
      ['.codex/config.toml', left],
      ['dotfiles/claude.json', OLD],
      ['dotfiles/codex/config.toml', left],
    ])
  })

  it('leaves no other file behind, in the home or outside', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    expect(readdirSync(home.at('.claude'))).toEqual(['settings.json'])
  })

  it('changes both files of a program, or none of them', () => {
    const home = aHome({ '.gemini/.env': 'A=1\n', '.gemini/settings.json': '{"model": "old"}' })
    const before = all(home)
    expect(problemOf(() => home.connector.plan(gemini, target))).toEqual(['shape', 'model'])
    writeFileSync(home.at('.gemini/settings.json'), '{}')
    setUp(home, gemini)
    expect(all(home)).not.toEqual(before)
    expect(home.connector.undo(gemini)).toEqual({ exact: true, kept: 0 })
    expect(all(home)).toEqual([
      ['.gemini/.env', 'A=1\n'],
      ['.gemini/settings.json', '{}'],
    ])
  })
})

describe('a disk that fails in the middle (docs/reference/connect.md#refused)', () => {
  it('leaves both files of a program unchanged, and nothing to undo', () => {
    const files = { '.gemini/.env': 'A=1\n', '.gemini/settings.json': '{}' }
    for (const failing of ['.env', 'settings.json']) {
      const home = aHome(files)
      const replace: typeof replacePersonal = (path, bytes, mode) => {
        if (path.endsWith(failing)) throw new LeftAlone('disk', path, 'ENOSPC')
        return replacePersonal(path, bytes, mode)
      }
      const writer = createConnectWriter({ machine: home.machine, dataFolder: home.dataFolder, replace })
      const { seal } = writer.plan(gemini, target)
      expect(problemOf(() => writer.apply(gemini, target, seal))).toEqual(['disk', 'ENOSPC'])
      expect(all(home)).toEqual(Object.entries(files))
      expect(writer.status(gemini, target.address).isSetUp).toBe(false)
      expect(readdirSync(join(home.dataFolder, 'connect-backups'))).toEqual([])
    }
  })

  it('can still undo a file that could not be put back', () => {
    const files = { '.gemini/.env': 'A=1\n', '.gemini/settings.json': '{}' }
    const home = aHome(files)
    const replace: typeof replacePersonal = (path, bytes, mode) => {
      if (!path.endsWith('settings.json')) return replacePersonal(path, bytes, mode)
      renameSync(home.at('.gemini'), home.at('.aside'))
      writeFileSync(home.at('.gemini'), '')
      throw new LeftAlone('disk', path, 'EIO')
    }
    const writer = createConnectWriter({ machine: home.machine, dataFolder: home.dataFolder, replace })
    const { seal } = writer.plan(gemini, target)
    expect(problemOf(() => writer.apply(gemini, target, seal))).toEqual(['disk', 'EIO'])
    rmSync(home.at('.gemini'))
    renameSync(home.at('.aside'), home.at('.gemini'))
    expect(readFileSync(home.at('.gemini/.env'), 'utf8')).toContain('GEMINI_API_KEY')
    expect(home.connector.undo(gemini)).toEqual({ exact: true, kept: 0 })
    expect(all(home)).toEqual(Object.entries(files))
  })
})

describe('undoing when the file was changed otherwise (docs/reference/connect.md#undo)', () => {
  const change = (home: Home, edit: (text: string) => string) =>
    writeFileSync(home.at(SETTINGS), edit(readFileSync(home.at(SETTINGS), 'utf8')))

  it('reports the change, and removes only ours', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    change(home, (text) => text.replace('"env"', '"theme": "dark", // new\n  "env"'))
    expect(home.connector.status(claude, target.address).isChanged).toBe(true)
    expect(home.connector.undo(claude)).toEqual({ exact: false, kept: 0 })
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toBe(OLD.replace('"env"', '"theme": "dark", // new\n  "env"'))
  })

  it('leaves values that were changed since, and reports how many', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    change(home, (text) => text.replace('gpt-4o', 'their-model'))
    expect(home.connector.undo(claude)).toEqual({ exact: false, kept: 1 })
    expect(JSON.parse(readFileSync(home.at(SETTINGS), 'utf8'))).toEqual({ env: { ANTHROPIC_MODEL: 'their-model' } })
  })

  it('removes ours from a file we created that was edited since', () => {
    const home = aHome()
    setUp(home)
    change(home, (text) => text.replace('{\n', '{\n  "theme": "dark",\n'))
    expect(home.connector.undo(claude)).toEqual({ exact: false, kept: 0 })
    expect(JSON.parse(readFileSync(home.at(SETTINGS), 'utf8'))).toEqual({ theme: 'dark' })
  })

  it('restores a file that is gone from its copy', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    rmSync(home.at(SETTINGS))
    expect(home.connector.status(claude, target.address).isChanged).toBe(true)
    expect(home.connector.undo(claude)).toEqual({ exact: true, kept: 0 })
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toBe(OLD)
  })

  it('does nothing for a file that is gone and was new, or whose copy is gone too', () => {
    const home = aHome()
    setUp(home)
    rmSync(home.at(SETTINGS))
    expect(home.connector.undo(claude)).toEqual({ exact: true, kept: 0 })
    const other = aHome({ [SETTINGS]: OLD })
    setUp(other)
    rmSync(other.at(SETTINGS))
    rmSync(join(other.dataFolder, 'connect-backups'), { recursive: true })
    expect(other.connector.undo(claude)).toEqual({ exact: false, kept: 0 })
    expect([existsSync(home.at(SETTINGS)), existsSync(other.at(SETTINGS))]).toEqual([false, false])
  })

  it('leaves a file that was already restored by hand, or by the last attempt', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    writeFileSync(home.at(SETTINGS), OLD)
    expect(home.connector.undo(claude)).toEqual({ exact: true, kept: 0 })
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toBe(OLD)
    const files = { '.gemini/.env': 'GEMINI_API_KEY=mine\n', '.gemini/settings.json': '{}' }
    const other = aHome(files)
    setUp(other, gemini)
    const replace: typeof replacePersonal = (path, bytes) => {
      if (path.endsWith('settings.json')) throw new LeftAlone('disk', path, 'ENOSPC')
      return replacePersonal(path, bytes)
    }
    const full = createConnectWriter({ machine: other.machine, dataFolder: other.dataFolder, replace })
    expect(problemOf(() => full.undo(gemini))).toEqual(['disk', 'ENOSPC'])
    expect(other.connector.undo(gemini)).toEqual({ exact: true, kept: 0 })
    expect(all(other)).toEqual(Object.entries(files))
  })

  it('removes ours from a new file that was moved and linked to, and leaves the link', () => {
    const home = aHome()
    setUp(home)
    mkdirSync(home.at('dotfiles'))
    renameSync(home.at(SETTINGS), home.at('dotfiles/claude.json'))
    symlinkSync('../dotfiles/claude.json', home.at(SETTINGS))
    expect(home.connector.undo(claude)).toEqual({ exact: false, kept: 0 })
    expect(readlinkSync(home.at(SETTINGS))).toBe('../dotfiles/claude.json')
    expect(readFileSync(home.at('dotfiles/claude.json'), 'utf8')).toBe('{\n}\n')
  })

  it('removes only ours where the copy is missing', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    rmSync(join(home.dataFolder, 'connect-backups'), { recursive: true })
    expect(home.connector.undo(claude)).toEqual({ exact: false, kept: 0 })
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toBe(OLD)
  })

  it('refuses a file that is broken by now, and remembers that undoing is pending', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    change(home, (text) => `${text}}`)
    expect(problemOf(() => home.connector.undo(claude))?.[0]).toBe('broken')
    expect(home.connector.status(claude, target.address).isSetUp).toBe(true)
  })

  it('writes and deletes nothing while the record of changes cannot be read', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    const record = join(home.dataFolder, 'connect.json')
    const kept = readFileSync(record, 'utf8')
    for (const damaged of ['', '{"version": 2, "clients": {}}']) {
      writeFileSync(record, damaged)
      for (const work of [
        () => setUp(home, codex),
        () => home.connector.undo(claude),
        () => home.connector.status(claude, target.address),
      ])
        expect(problemOf(work)?.[0]).toBe('broken')
      expect([readFileSync(record, 'utf8'), existsSync(home.at('.codex'))]).toEqual([damaged, false])
    }
    writeFileSync(record, kept)
    expect(home.connector.undo(claude)).toEqual({ exact: true, kept: 0 })
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toBe(OLD)
  })

  it('goes back to the first file after several writings, byte for byte', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    setUp(home, claude, { ...target, model: 'other', key: 'sk-another-key-of-mine' })
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toContain('"ANTHROPIC_MODEL": "other"')
    expect(home.connector.undo(claude)).toEqual({ exact: true, kept: 0 })
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toBe(OLD)
  })

  it('preserves changes made between two writings, and values that replaced ours', () => {
    const home = aHome({ [SETTINGS]: OLD })
    setUp(home)
    change(home, (text) => text.replace('"env"', '"theme": "dark",\n  "env"').replace('"gpt-4o"', '"theirs"'))
    setUp(home, claude, { ...target, model: 'other' })
    expect(home.connector.undo(claude)).toEqual({ exact: false, kept: 0 })
    const back = JSON.parse(readFileSync(home.at(SETTINGS), 'utf8'))
    expect(back).toEqual({ theme: 'dark', env: { ANTHROPIC_MODEL: 'theirs' } })
  })
})

describe('files that are left unchanged (docs/reference/connect.md#refused)', () => {
  const refused: readonly (readonly [string, string, string | Buffer, readonly string[]])[] = [
    ['broken JSON', 'claude-code', '{\n  "a": 1,\n  b\n}\n', ['broken', '3:3 InvalidSymbol']],
    ['JSON that is no object', 'claude-code', '[]', ['shape', '{}']],
    ['a text where an object belongs', 'claude-code', '{"env": "none"}', ['shape', 'env']],
    ['broken TOML', 'codex', 'model = \n', ['broken', '2:1 Unspecified values are invalid']],
    ['TOML with a key twice', 'codex', 'a = 1\na = 2\n', ['broken', '2:1 Defining a key multiple times is invalid']],
    [
      'a table within a line',
      'codex',
      'model_providers = { a = { name = "b" } }\n',
      ['shape', 'model_providers.switchyard.name'],
    ],
    ['broken YAML', 'continue', 'name: "x\nmodels: [\n', ['broken', '']],
    ['YAML of several documents', 'continue', 'a: 1\n---\nb: 2\n', ['shape', '---']],
    ['a list within a line', 'continue', 'models: [{name: a}]\n', ['shape', 'models']],
    ['UTF-16', 'claude-code', Buffer.from('\uFEFF{}', 'utf16le'), ['encoding', '']],
    ['a code page', 'codex', Buffer.from('# caf\xe9\n', 'latin1'), ['encoding', '']],
  ]
  it.each(refused)('%s', (_, id, content, [problem, detail]) => {
    const path = { 'claude-code': SETTINGS, codex: '.codex/config.toml', continue: '.continue/config.yaml' }[id] ?? ''
    const home = aHome({ [path]: content })
    const before = all(home)
    const found = problemOf(() => home.connector.plan(program(id), target))
    expect(found?.[0]).toBe(problem)
    if (detail) expect(found?.[1]).toBe(detail)
    expect(problemOf(() => home.connector.apply(program(id), target, ''))?.[0]).toBe(problem)
    expect([all(home), existsSync(home.dataFolder)]).toEqual([before, false])
  })

  it('a file that is not writable, a folder instead of it, a link to nothing, a file that is too large', () => {
    const home = aHome({ [SETTINGS]: OLD })
    const plan = () => problemOf(() => home.connector.plan(claude, target))?.[0]
    chmodSync(home.at(SETTINGS), 0o444)
    expect(plan()).toBe('readOnly')
    rmSync(home.at(SETTINGS))
    mkdirSync(home.at(SETTINGS))
    expect(plan()).toBe('notAFile')
    rmSync(home.at(SETTINGS), { recursive: true })
    symlinkSync('nowhere', home.at(SETTINGS))
    expect(plan()).toBe('danglingLink')
    rmSync(home.at(SETTINGS))
    writeFileSync(home.at(SETTINGS), `{"a": "${'x'.repeat(2 * 1024 * 1024)}"}`)
    expect(plan()).toBe('tooLarge')
    rmSync(home.at('.claude'), { recursive: true })
    writeFileSync(home.at('.claude'), 'a file')
    expect(plan()).toBe('notAFile')
  })

  it('a file that was changed between the plan and the writing: the new plan is shown instead', () => {
    const home = aHome({ [SETTINGS]: OLD })
    const { seal } = home.connector.plan(claude, target)
    writeFileSync(home.at(SETTINGS), OLD.replace('mine', 'changed'))
    const again = home.connector.apply(claude, target, seal)
    expect(again?.files[0]?.lines.some(({ text }) => text.includes('changed'))).toBe(true)
    expect(readFileSync(home.at(SETTINGS), 'utf8')).toBe(OLD.replace('mine', 'changed'))
    expect(home.connector.status(claude, target.address).isSetUp).toBe(false)
    expect(home.connector.apply(claude, target, again?.seal ?? '')).toBeNull()
  })

  it('a seal of another key, model or program', () => {
    const home = aHome()
    const { seal } = home.connector.plan(claude, target)
    expect(home.connector.apply(claude, { ...target, model: 'other' }, seal)).not.toBeNull()
    expect(home.connector.apply(codex, target, seal)).not.toBeNull()
    expect(all(home)).toEqual([])
  })
})
