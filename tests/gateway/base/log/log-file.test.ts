import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLogFile } from '../../../../gateway/base/log/log-file.ts'
import { createLogger } from '../../../../gateway/base/log/logger.ts'
import { aFolder } from '../../../process/house.ts'
import { aClock } from '../../../support/clock.ts'

const limits = { bytes: 40, files: 3, pauseMs: 1000 }
const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')

describe('the file of a log (docs/reference/reliability.md#log-file)', () => {
  it('is created with access for its owner only, and is continued after a restart', async () => {
    const folder = join(await aFolder(), 'logs')
    for (const line of ['one\n', 'two\n']) createLogFile(folder, aClock(0)).write(line)
    expect(textOf(folder, 'switchyard.log')).toBe('one\ntwo\n')
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, 'switchyard.log')).mode & 0o777).toBe(0o600)
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }
  })

  it('is followed by another when it is full, of which only a limited number is retained', async () => {
    const folder = await aFolder()
    const file = createLogFile(folder, aClock(0), limits)
    for (const mark of 'abcdefgh') file.write(`${mark.repeat(15)}\n`)
    expect(readdirSync(folder).sort()).toEqual(['switchyard.1.log', 'switchyard.2.log', 'switchyard.log'])
    expect(textOf(folder, 'switchyard.log')).toMatch(/^g+\nh+\n$/)
    expect(textOf(folder, 'switchyard.2.log')).toMatch(/^c+\nd+\n$/)
    file.write(`${'x'.repeat(100)}\n`)
    expect(textOf(folder, 'switchyard.log')).toHaveLength(101)
  })

  it('loses only the lines that cannot be written, and is tried again after a pause', async () => {
    const folder = join(await aFolder(), 'logs')
    // A file where the folder should be.
    writeFileSync(folder, '')
    const clock = aClock(0)
    const log = createLogger('info', { clock, target: createLogFile(folder, clock, limits) })
    log.error('nobody reads this')
    rmSync(folder)
    mkdirSync(folder)
    log.error('still paused')
    expect(readdirSync(folder)).toEqual([])
    clock.advance(limits.pauseMs)
    log.error('here again')
    expect(textOf(folder, 'switchyard.log')).toMatch(/^{"level":"error",.*"msg":"here again"}\n$/)
  })
})
