import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { atFileEnd } from './file-end.ts'
import { freePort } from './postgres-server.ts'

/** A Redis server of this test, on a free loopback port; it stores nothing on disk. */
export interface RedisServer {
  readonly url: string
  readonly port: number
  /** Runs a command on a new connection. */
  run(...command: string[]): Promise<unknown>
  /** Ends the server at once, as a power cut would. */
  kill(): Promise<void>
  /** Starts an empty server on the same port. */
  start(): Promise<void>
  /** Stops and continues the process: its connections stay open, and nothing is read. */
  pause(): void
  resume(): void
}

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0

/** With a certificate, whose name is `localhost`, it accepts only TLS. */
export async function startRedis(certificate?: Readonly<{ key: string; cert: string }>): Promise<RedisServer> {
  const port = await freePort()
  const url = certificate ? `rediss://localhost:${port}` : `redis://127.0.0.1:${port}`
  const listening = certificate ? tlsSettings(certificate, port) : ['--port', String(port)]
  const settings = [...listening, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  let server: ChildProcess
  const run = async (...command: string[]) => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.sendCommand(command)
    } finally {
      client.destroy()
    }
  }
  const start = async () => {
    server = spawn('redis-server', settings, { stdio: 'ignore' })
    for (let tries = 0; tries < 200; tries += 1) {
      if (await run('PING').catch(() => false)) return
      await sleep(25)
    }
    throw new Error('the Redis server did not start')
  }
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('close', resolve))
    server.kill('SIGKILL')
    await ended
  }
  await start()
  atFileEnd(kill)
  return {
    url,
    port,
    run,
    kill,
    start,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
  }
}

function tlsSettings({ key, cert }: Readonly<{ key: string; cert: string }>, port: number): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-redis-'))
  atFileEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  writeFileSync(keyFile, key)
  writeFileSync(certFile, cert)
  const files = ['--tls-key-file', keyFile, '--tls-cert-file', certFile, '--tls-ca-cert-file', certFile]
  return ['--port', '0', '--tls-port', String(port), ...files, '--tls-auth-clients', 'no']
}
