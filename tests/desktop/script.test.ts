import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../process/house.ts'

describe('npm run desktop', () => {
  const started = async (...args: string[]) => {
    const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: await aFolder() }
    const script = join(import.meta.dirname, '../../scripts/desktop.mjs')
    return spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' })
  }

  it('explains how to get Electron where it is missing, and ends with 1', async () => {
    const { status, stderr } = await started()
    expect(status).toBe(1)
    expect(stderr).toContain('npx install-electron')
    expect(stderr).toContain('npm start')
  })

  it('reports that its tests are skipped where Electron is missing', async () => {
    const { status, stdout, stderr } = await started('--test')
    expect([status, stdout, stderr]).toEqual([0, 'skipped: no Electron binary\n', ''])
  })
})
