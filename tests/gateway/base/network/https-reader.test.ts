import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpsReader } from '../../../../gateway/base/network/https-reader.ts'
import { noSystemProxy } from '../../../../gateway/base/network/system-proxy.ts'
import { aFolder } from '../../../process/house.ts'
import { aSecureServer } from '../../../support/secure-server.ts'

const reader = createHttpsReader(noSystemProxy, 'Switchyard/test')
const sumOf = (bytes: Buffer) => createHash('sha512').update(bytes).digest('base64')

/** A server that only a misdirected request would reach. */
async function aPlainServer() {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end('plain')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { url: `http://127.0.0.1:${port}`, asked }
}

describe('an HTTPS-only reader (docs/reference/updates.md#trust)', () => {
  it('reads a text, also through redirects, and identifies itself', async () => {
    const server = await aSecureServer({ '/a': () => ({ to: '/b' }), '/b': () => 'here' })
    expect(await reader.text(new URL(`${server.url}/a`), 10)).toBe('here')
    expect(server.asked.map(({ path, headers }) => [path, headers['user-agent']])).toEqual([
      ['/a', 'Switchyard/test'],
      ['/b', 'Switchyard/test'],
    ])
  })

  it('never requests a plain HTTP address, given directly or by a redirect', async () => {
    const plain = await aPlainServer()
    const server = await aSecureServer({ '/a': () => ({ to: `${plain.url}/b` }) })
    const refusal = 'is not reached over HTTPS'
    await expect(reader.text(new URL(plain.url), 10)).rejects.toThrow(refusal)
    await expect(reader.text(new URL(`${server.url}/a`), 10)).rejects.toThrow(refusal)
    await expect(reader.text(new URL('file:///etc/passwd'), 10)).rejects.toThrow(refusal)
    expect(plain.asked).toEqual([])
  })

  it('fails where an answer is too long, redirects in a circle or nowhere, or is not a success', async () => {
    const server = await aSecureServer({
      '/long': () => 'x'.repeat(11),
      '/circle': () => ({ to: '/circle' }),
      '/nowhere': () => ({ to: 'https://' }),
    })
    const read = (path: string) => reader.text(new URL(server.url + path), 10)
    await expect(read('/long')).rejects.toThrow('longer than 10 bytes')
    await expect(read('/circle')).rejects.toThrow('redirects more than 5 times')
    await expect(read('/nowhere')).rejects.toThrow('redirects to nowhere')
    await expect(read('/gone')).rejects.toThrow('answered with status 404')
    expect(server.asked.filter(({ path }) => path === '/circle')).toHaveLength(6)
  })

  it('ends when it is cancelled, and when the whole takes too long, even if data still arrives', async () => {
    const server = await aSecureServer({ '/slow': () => ({ begins: 'x' }), '/to': () => ({ to: '/slow' }) })
    const file = join(await aFolder(), 'file')
    const limits: { ms: number; abort: () => void }[] = []
    const limited = createHttpsReader(noSystemProxy, 'Switchyard/test', (ms) => {
      const limit = new AbortController()
      limits.push({ ms, abort: () => limit.abort() })
      return limit.signal
    })
    const begun = async (step: number) => {
      await expect.poll(() => server.asked.filter(({ path }) => path === '/slow')).toHaveLength(step)
    }
    const never = { sha512: '', maxBytes: 10 }
    const text = limited.text(new URL(`${server.url}/to`), 10)
    await begun(1)
    limits[0]?.abort()
    await expect(text).rejects.toThrow(`${server.url} took longer than 60 s in all`)
    let isThere = () => {}
    const there = new Promise<void>((resolve) => {
      isThere = resolve
    })
    const late = limited.file(new URL(`${server.url}/slow`), file, { ...never, onProgress: isThere })
    await there
    limits[1]?.abort()
    await expect(late).rejects.toThrow('took longer than 7200 s in all')
    const cancel = new AbortController()
    const ended = limited.file(new URL(`${server.url}/to`), file, never, cancel.signal)
    await begun(3)
    cancel.abort(new Error('not any more'))
    await expect(ended).rejects.toThrow('not any more')
    expect(limits.map(({ ms }) => ms)).toEqual([60_000, 7_200_000, 7_200_000])
  })

  it('does not accept a server whose certificate is not trusted', async () => {
    const server = await aSecureServer({ '/': () => 'here' })
    const { setDefaultCACertificates, getCACertificates } = await import('node:tls')
    setDefaultCACertificates(getCACertificates('bundled'))
    await expect(reader.text(new URL(server.url), 10)).rejects.toThrow(/certificate/)
    expect(server.asked).toEqual([])
  })

  it('writes a file that has the announced sum, reports its progress, and fails for every other file', async () => {
    const bytes = Buffer.alloc(300_000, 'a')
    const server = await aSecureServer({ '/file': () => bytes })
    const file = join(await aFolder(), 'file')
    const address = new URL(`${server.url}/file`)
    const told: (number | undefined)[][] = []
    const onProgress = (...progress: [number, number | undefined]) => told.push(progress)
    await reader.file(address, file, { sha512: sumOf(bytes), maxBytes: 300_000, onProgress })
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect(told.at(-1)).toEqual([300_000, 300_000])
    const wrong = { sha512: sumOf(Buffer.alloc(300_000, 'b')), maxBytes: 300_000 }
    await expect(reader.file(address, file, wrong)).rejects.toThrow('does not match its announced SHA-512')
    const small = { sha512: sumOf(bytes), maxBytes: 299_999 }
    await expect(reader.file(address, file, small)).rejects.toThrow('longer than 299999 bytes')
  })
})
