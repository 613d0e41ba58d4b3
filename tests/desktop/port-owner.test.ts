import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freePortAfter } from '../../main/free-port.ts'
import { portOwner, type RunTool } from '../../main/port-owner.ts'

/** Commands that print the given text; all others are missing. */
const tools =
  (printed: Readonly<Record<string, string>>): RunTool =>
  async (file) => {
    const text = printed[file]
    if (text === undefined) throw new Error(`spawn ${file} ENOENT`)
    return text
  }

it.runIf(process.platform === 'linux')(
  'names the program that listens on a port, and none where none listens',
  async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
    expect(await portOwner(port)).toMatch(new RegExp(`^.+ \\(${process.pid}\\)$`))
    expect(await portOwner(await freePortAfter(port, '127.0.0.1'))).toBeUndefined()
  },
)

it('reads the output of the commands of macOS and Windows', async () => {
  const lsof = tools({ lsof: 'p4711\ncnode\nf23\n' })
  expect(await portOwner(6411, 'darwin', lsof)).toBe('node (4711)')
  const netstat = [
    'Aktive Verbindungen',
    '  Proto  Lokale Adresse         Remoteadresse          Status           PID',
    '  TCP    0.0.0.0:64110          0.0.0.0:0              ABHÖREN          12',
    '  TCP    127.0.0.1:6411         127.0.0.1:50000        HERGESTELLT      13',
    '  TCP    127.0.0.1:6411         0.0.0.0:0              ABHÖREN          4712',
  ].join('\r\n')
  const windows = tools({ netstat, tasklist: '"ollama app.exe","4712","Console","1","52,000 K"\r\n' })
  expect(await portOwner(6411, 'win32', windows)).toBe('ollama app.exe (4712)')
  expect(await portOwner(6412, 'win32', windows)).toBeUndefined()
})

it('is empty where the system does not report it', async () => {
  expect(await portOwner(6411, 'darwin', tools({}))).toBeUndefined()
  expect(await portOwner(6411, 'win32', tools({ netstat: '' }))).toBeUndefined()
  expect(await portOwner(6411, 'darwin', tools({ lsof: 'p1\n' }))).toBeUndefined()
})
