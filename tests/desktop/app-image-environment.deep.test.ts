import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { leaveAppImage } from '../../main/app-image-self.ts'

const require = createRequire(import.meta.url)
const { generateAppRunScript } = require('app-builder-lib/out/targets/appimage/appImageUtil.js')

/** The environment in which electron-builder's launcher starts the program of an AppImage in this folder. */
function launched(folder: string, before: Record<string, string>): Record<string, string> {
  const names = { DesktopFileName: 'switchyard.desktop', ExecutableName: 'switchyard', ProductName: 'Switchyard' }
  const launcher = generateAppRunScript({ ...names, ProductFilename: 'Switchyard', ResourceName: 'switchyard' })
  writeFileSync(join(folder, 'AppRun'), launcher, { mode: 0o755 })
  writeFileSync(join(folder, 'switchyard'), '#!/bin/sh\n/usr/bin/env -0\n', { mode: 0o755 })
  const env = { ...before, APPDIR: folder, APPIMAGE: '/home/ada/S.AppImage', ARGV0: './S.AppImage', OWD: '/home/ada' }
  const variables = execFileSync(join(folder, 'AppRun'), { env, encoding: 'utf8' }).split('\0').filter(Boolean)
  return Object.fromEntries(
    variables.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

it.skipIf(process.platform !== 'linux')('no variable exported by electron-builder’s launcher is passed on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-mount-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const before = { PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: '/opt/cuda/lib', HOME: '/home/ada' }
  const environment = launched(folder, before)
  expect(environment.LD_LIBRARY_PATH).toBe(`${folder}/usr/lib:/opt/cuda/lib`)
  expect(leaveAppImage(environment, join(folder, 'switchyard'))).toBe('/home/ada/S.AppImage')
  expect(environment).toMatchObject(before)
  expect(JSON.stringify(environment)).not.toContain(folder)
  expect(Object.keys(environment).filter((name) => /^(APP|ARGV0|OWD|GSETTINGS)/.test(name))).toEqual([])
  // The launcher adds the system's own folders; no earlier value is lost.
  expect(environment.XDG_DATA_DIRS).toBe('/usr/share/gnome:/usr/local/share/:/usr/share/')
})
