import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aFolder } from '../process/house.ts'

const root = join(import.meta.dirname, '../..')
const archived = 'head will-attach-webview tail'

/** Checks a program that is a script next to an archive. */
async function checked(script: string, waitMs = 60_000) {
  const folder = await aFolder()
  const [program, archive] = [join(folder, 'program'), join(folder, 'resources/app.asar')]
  mkdirSync(join(folder, 'resources'))
  writeFileSync(archive, archived)
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const env = { ...process.env, CHECK_WAIT_MS: String(waitMs) }
  const told = spawnSync(process.execPath, [join(root, 'scripts/check-archive.mjs'), program], {
    env,
    encoding: 'utf8',
  })
  return { ...told, archive: readFileSync(archive, 'utf8') }
}

it.runIf(process.platform === 'linux')(
  'distinguishes a program that starts with a changed archive from one that refuses it',
  async () => {
    const refusing = await checked('grep -q will-attach-webview "$(dirname "$0")/resources/app.asar" || exit 6')
    expect([refusing.status, refusing.stdout]).toEqual([0, 'It refuses an archive that was changed: it ends with 6.\n'])
    for (const [script, waitMs] of [['exec sleep 60', 100], ['exit 0']] as const) {
      const going = await checked(script, waitMs)
      expect([going.status, going.stderr]).toEqual([1, 'a program whose archive was changed goes on\n'])
      expect([refusing.archive, going.archive]).toEqual([archived, archived])
    }
  },
)

it('looks for a text that occurs once in the program, in the file that it reads first', () => {
  const [, mark = ''] =
    /^const MARK = '(.+)'$/m.exec(readFileSync(join(root, 'scripts/check-archive.mjs'), 'utf8')) ?? []
  expect(readFileSync(join(root, 'main/window-guards.ts'), 'utf8')).toContain(`'${mark}'`)
})
