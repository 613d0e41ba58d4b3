import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const base = join(import.meta.dirname, '../../gateway/base')

/** Runs a program over the given modules in its own process; returns its exit code and output. */
async function run(program: string, output: 'pipe' | number = 'pipe') {
  const head = `
    import { watchFaults } from '${base}/log/faults.ts'
    import { createLogger } from '${base}/log/logger.ts'
    const log = createLogger('info')
    const end = () => { log.info('ends'); setTimeout(() => process.exit(70), 50) }
  `
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', head + program], {
    stdio: ['ignore', output, 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (part) => {
    said += String(part)
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

describe('an uncaught error', () => {
  it('is logged under an id, and the process continues after a broken connection or a rejected promise', async () => {
    const { code, said } = await run(`
      watchFaults({ log, end })
      process.nextTick(() => { throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
      void Promise.reject(new Error('nobody awaits this'))
      setTimeout(() => log.info('still here'), 100)
    `)
    expect(code).toBe(0)
    expect(said.match(/"faultId":"\w{20,}"/g)).toHaveLength(2)
    expect(said).toContain('still here')
    expect(said).not.toContain('ends')
  })

  it('ends the process properly, once, where the remaining state is unknown', async () => {
    const { code, said } = await run(`
      watchFaults({ log, end })
      for (const turn of [0, 10]) setTimeout(() => { throw new Error('a fault of ours') }, turn)
    `)
    expect(code).toBe(70)
    expect(said.match(/unexpected fault/g)).toHaveLength(2)
    expect(said.match(/"ends"/g)).toHaveLength(1)
  })
})

describe.runIf(process.platform === 'linux')('a log that cannot be written', () => {
  it('ends nothing and delays nothing', async () => {
    const { code } = await run(
      `for (let line = 0; line < 100; line += 1) log.info('x'.repeat(9000), { line })
       setTimeout(() => process.exit(7), 20)`,
      openSync('/dev/full', 'w'),
    )
    expect(code).toBe(7)
  })
})
