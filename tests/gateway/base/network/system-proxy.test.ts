import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEnvironmentProxy, wrongProxyVariable } from '../../../../gateway/base/network/system-proxy.ts'

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])

beforeEach(() => {
  for (const name of names) vi.stubEnv(name, undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
})

const proxiesWith = (environment: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  return ['http://vendor.example', 'https://vendor.example'].map(createEnvironmentProxy())
}

describe('the proxy of the environment (docs/reference/security.md#corporate-networks)', () => {
  it.each([
    [{}, '', ''],
    [{ HTTP_PROXY: 'http://a:1' }, 'http://a:1', ''],
    [{ HTTPS_PROXY: 'http://b:1' }, '', 'http://b:1'],
    [{ ALL_PROXY: 'http://c:1' }, 'http://c:1', 'http://c:1'],
    [{ all_proxy: 'socks5://c:1' }, 'socks5://c:1', 'socks5://c:1'],
    [{ ALL_PROXY: 'http://c:1', HTTPS_PROXY: 'http://b:1' }, 'http://c:1', 'http://b:1'],
    [{ ALL_PROXY: 'http://c:1', NO_PROXY: 'vendor.example' }, '', ''],
    [{ ALL_PROXY: 'http://c:1', NO_PROXY: '.example,other' }, '', ''],
    [{ ALL_PROXY: 'http://c:1', NO_PROXY: 'vendor.example:443' }, 'http://c:1', ''],
    [{ ALL_PROXY: 'http://c:1', NO_PROXY: '*' }, '', ''],
    [{ ALL_PROXY: 'http://c:1', NO_PROXY: 'other.example' }, 'http://c:1', 'http://c:1'],
  ])('with %j', (environment, http, https) => expect(proxiesWith(environment)).toEqual([http, https]))

  it.each([
    'http://localhost:11434',
    'http://models.localhost',
    'http://127.0.0.1:1',
    'http://[::1]:1',
    'http://10.0.0.5',
    'https://192.168.1.9:8443',
    'http://169.254.169.254',
    'http://metadata.google.internal',
  ])('is not used for %s', (origin) => {
    vi.stubEnv('ALL_PROXY', 'http://c:1')
    expect(createEnvironmentProxy()(origin)).toBe('')
  })

  it.each(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])(
    'is reported as wrong where the value of %s is not a proxy address',
    (name) => {
      for (const value of ['proxy:3128', 'proxy.example', 'ftp://proxy.example', 'socks4://proxy.example'])
        expect(wrongProxyVariable({ [name]: value }), value).toMatch(
          new RegExp(`^${name}: must be the address of a proxy`),
        )
      for (const value of ['', 'http://p:1', 'https://me:secret@p', 'socks5://p:1', 'socks5h://p:1'])
        expect(wrongProxyVariable({ [name]: value }), value).toBeFalsy()
    },
  )
})
