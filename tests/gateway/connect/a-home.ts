import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Machine } from '../../../gateway/connect/config-location.ts'
import { type ConnectWriter, createConnectWriter } from '../../../gateway/connect/connect.ts'
import { connectClient } from '../../../shared/connect/clients.ts'

export const target = { address: 'http://127.0.0.1:6411', key: 'sk-0123456789abcdefghij', model: 'gpt-4o' }

/** The program of this name; throws if there is none. */
export function program(id: string) {
  const client = connectClient(id)
  if (!client) throw new Error(`no program ${id}`)
  return client
}

/** A user's home folder, the data folder, and the writer between them. */
export function aHome(files: Readonly<Record<string, string | Buffer>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [home, dataFolder] = [join(root, 'home'), join(root, 'data')]
  const machine: Machine = { platform: 'linux', home, variables: {} }
  mkdirSync(home)
  const at = (path: string) => join(home, path)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), content)
  }
  const connector: ConnectWriter = createConnectWriter({ machine, dataFolder })
  return { home, dataFolder, machine, at, connector }
}
