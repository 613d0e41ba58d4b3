import { describe, expect, it, vi } from 'vitest'
import { createSystemProxy, firstProxy } from '../../main/system-proxy.ts'
import { aClock } from '../support/clock.ts'

describe('the proxy of the system on the desktop (docs/reference/security.md#corporate-networks)', () => {
  it.each([
    ['DIRECT', ''],
    ['', ''],
    ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
    ['https proxy.example:443', 'https://proxy.example:443'],
    ['SOCKS4 old.example:1080; SOCKS5 new.example:1080', 'socks5://new.example:1080'],
    // In proxy scripts, plain SOCKS means SOCKS 4.
    ['SOCKS old.example:1080; DIRECT', ''],
    ['QUIC proxy.example:443;DIRECT;PROXY late.example:1', ''],
  ])('reads %j as %j', (answer, proxy) => expect(firstProxy(answer)).toBe(proxy))

  it('is looked up once for each origin, and again after a while, when the network may be another', async () => {
    const clock = aClock(0)
    const resolve = vi.fn(async (url: string) => (url.includes('one') ? 'PROXY p:1' : 'DIRECT'))
    const proxy = createSystemProxy(resolve, clock)
    expect(await Promise.all(['https://one', 'https://one', 'https://two'].map(proxy))).toEqual([
      'http://p:1',
      'http://p:1',
      '',
    ])
    expect(resolve).toHaveBeenCalledTimes(2)
    clock.advance(30_000)
    await proxy('https://one')
    expect(resolve).toHaveBeenCalledTimes(3)
  })

  it('is not used for this machine, for addresses of the own network, for metadata services, and where the lookup fails', async () => {
    const resolve = vi.fn(async () => Promise.reject(new Error('no script')))
    const proxy = createSystemProxy(resolve, aClock(0))
    const own = ['http://localhost:11434', 'http://127.0.0.1:1', 'http://[::1]:1', 'http://192.168.1.9:8080']
    const metadata = ['http://169.254.169.254', 'http://metadata.google.internal']
    expect(await Promise.all([...own, ...metadata].map(proxy))).toEqual(Array(6).fill(''))
    expect(resolve).not.toHaveBeenCalled()
    expect(await proxy('https://one')).toBe('')
  })
})
