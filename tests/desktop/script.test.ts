import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aFolder } from '../process/house.ts'

describe('npm run desktop', () => {
  it.each([[], ['--test']])('says how to get Electron where it is not there, and ends with 1 (%s)', async (...args) => {
    const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: await aFolder() }
    const script = join(import.meta.dirname, '../../scripts/desktop.mjs')
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('npx install-electron')
    expect(stderr).toContain('npm start')
  })
})
