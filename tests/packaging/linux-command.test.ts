import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { COMMAND_LINE, commandIn } from '../../main/command-line.ts'
import { aFolder } from '../process/house.ts'

const root = join(import.meta.dirname, '../..')
const own = (name: string) => readFileSync(join(root, 'resources/linux', name), 'utf8')
const isUnix = process.platform !== 'win32'

/** An installed package whose program prints its arguments, one per line, and exits with 7. */
async function anInstallation(): Promise<string> {
  const folder = join(await aFolder(), 'My Switchyard')
  mkdirSync(join(folder, 'resources'), { recursive: true })
  writeFileSync(join(folder, 'switchyard'), '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n', { mode: 0o755 })
  copyFileSync(join(root, 'resources/linux/switchyard'), join(folder, 'resources/switchyard'))
  symlinkSync(join(folder, 'resources/switchyard'), join(folder, 'alternative'))
  symlinkSync(join(folder, 'alternative'), join(folder, 'linked'))
  return join(folder, 'linked')
}

const headless = ['--headless', '--disable-gpu', '--no-sandbox', '--log-level=3', '--command-line', '--']

describe.runIf(isUnix)('the command of a package for Linux (docs/reference/command-line.md#desktop-packages)', () => {
  it('hands commands to the program without a screen, unchanged, and everything else to its window', async () => {
    const command = await anInstallation()
    const given = (...args: string[]) => {
      const { stdout, status } = spawnSync(command, args, { encoding: 'utf8' })
      expect(status).toBe(7)
      return stdout.split('\n').slice(0, -1)
    }
    for (const words of [
      ['doctor', '--json'],
      ['serve', '--port', '6411'],
      ['token', 'create', 'a name', '--models', '', '$(x)'],
      ['no-such-command'],
      ['--help'],
      ['--version'],
    ]) {
      const told = given(...words)
      expect(told).toEqual([...headless, ...words])
      expect(commandIn(['/opt/Switchyard/switchyard', ...told])).toEqual(words)
    }
    for (const args of [['--hidden'], ['switchyard://open/log'], ['--remote-debugging-port=1', 'serve']]) {
      expect(given(...args)).toEqual(args)
      expect(commandIn(['/opt/Switchyard/switchyard', ...args])).toBeUndefined()
    }
    expect(given()).toEqual(['']) // printf without arguments prints one empty line
  })
})

describe('the scripts of a package for Linux at installation and removal', () => {
  const templates = join(root, 'node_modules/app-builder-lib/templates/linux')

  it.each(['after-install', 'after-remove'])(
    'are electron-builder’s own %s, except for the target of the command, and for an upgrade',
    (name) => {
      const theirs = readFileSync(join(templates, `${name}.tpl`), 'utf8')
      // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder's own placeholders
      const program = '/${sanitizedProductName}/${executable}'
      expect(theirs).toContain(`'/opt${program}'`)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder's own placeholders
      const command = '/${sanitizedProductName}/resources/${executable}'
      const ours = own(`${name}.sh`).replace(/# After an upgrade [\s\S]*?esac\n\n/, '')
      expect(ours).toBe(theirs.replaceAll(`'/opt${program}'`, `'/opt${command}'`))
    },
  )

  it.runIf(isUnix)(
    'remove the command where the program is removed, and leave it to the new release in an upgrade',
    async () => {
      const folder = await aFolder()
      const script = join(folder, 'after-remove')
      const written = own('after-remove.sh').replace(/\$\{(executable|sanitizedProductName)\}/g, 'switchyard-of-a-test')
      writeFileSync(script, written)
      writeFileSync(join(folder, 'update-alternatives'), '#!/bin/sh\necho "$1 $2"\n', { mode: 0o755 })
      const env = { PATH: `${folder}:${process.env.PATH}` }
      const done = (...args: string[]) => {
        const { stdout, status } = spawnSync('bash', [script, ...args], { env, encoding: 'utf8' })
        expect(status).toBe(0)
        return stdout.trim()
      }
      for (const gone of ['0', 'remove', 'purge', 'abort-install'])
        expect(done(gone), gone).toBe('--remove switchyard-of-a-test')
      // An update by rpm, with the new release already installed; by deb, with the old or new release.
      expect(done('1')).toBe('')
      for (const word of ['upgrade', 'failed-upgrade', 'abort-upgrade']) expect(done(word, '1.2.0'), word).toBe('')
    },
  )

  it('are named for both kinds, and the command is in every one', () => {
    const { linux, deb, rpm } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))
    const scripts = { afterInstall: 'resources/linux/after-install.sh', afterRemove: 'resources/linux/after-remove.sh' }
    expect(deb).toMatchObject(scripts)
    expect(rpm).toMatchObject(scripts)
    expect(linux.extraResources).toEqual([{ from: 'resources/linux/switchyard', to: 'switchyard' }])
  })
})

it('accepts words only behind two dashes, which end the switches of Chromium', () => {
  expect(commandIn(['switchyard', COMMAND_LINE, 'doctor'])).toBeUndefined()
  expect(commandIn(['switchyard', '--', COMMAND_LINE, 'doctor'])).toBeUndefined()
  expect(commandIn(['switchyard', 'index.js', COMMAND_LINE, '--'])).toEqual([])
})
