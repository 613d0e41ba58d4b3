import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../gateway/base/errors.ts'
import { addressRule, isPublicAddress, isRefusedUrl, type Resolve } from '../../gateway/base/network/address-guard.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import { aFetcher, aFileServer, PNG, patient } from '../gateway/relay/media/file-server.ts'

/** Addresses that the gateway must never connect to for a caller. */
const notPublic = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:0.0.0.0',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '::8.8.8.8',
  '64:ff9b::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::192.168.1.1',
  '64:ff9b:1::8.8.8.8',
  '64:ff9b:1::7f00:1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fe80::a9fe:a9fe',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '4000::1',
]
const isPublic = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450::1',
]

/** Other spellings of forbidden addresses; each stands for this machine or a neighbour. */
const spellings = [
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.0.0.1./',
  'http://0/',
  'http://0.0.0.0:8080/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:127.0.0.1]:443/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:127.0.0.1',
  'https://127.0.0.1/',
  'HTTP://127.0.0.1/',
  'http://metadata/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://METADATA.GOOGLE.INTERNAL./',
  'http://instance-data/latest/',
]

const nothing = { isAllowed: () => false }
const never: Resolve = (hostname) => Promise.reject(new Error(`${hostname} was looked up`))
const literal = (address: string) => (address.includes(':') ? `[${address.replace(/%.*$/, '')}]` : address)

describe('addresses', () => {
  it.each(notPublic)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(isPublic)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each(['', 'localhost', '8.8.8', '08.8.8.8', '8.8.8.8/8', '1.2.3.4.5', 'x::1'])('%j is not one', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  )

  it('are dialled on four ports', () => {
    const rule = addressRule()
    const dialled = [21, 22, 23, 25, 80, 81, 443, 3306, 6379, 8000, 8080, 8443, 9200].filter((port) =>
      rule('8.8.8.8', port),
    )
    expect(dialled).toEqual([80, 443, 8080, 8443])
  })

  it('of metadata services are not dialled even when everything is allowed', () => {
    const rule = addressRule(() => true)
    expect(rule('127.0.0.1', 22)).toBe(true)
    const metadata = ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe']
    expect(metadata.filter((address) => rule(address, 80))).toEqual([])
  })

  it('are checked by their spelling where a proxy resolves names', () => {
    const rule = addressRule()
    const refused = (url: string) => isRefusedUrl(new URL(url), rule)
    expect(['https://files.test/', 'https://8.8.8.8:8443/', 'http://[2606:4700::1111]/'].filter(refused)).toEqual([])
    const bad = ['http://localhost/', 'http://a.localhost./', 'https://files.test:6379/', ...spellings]
    expect(bad.filter((url) => !refused(url))).toEqual([])
  })
})

describe('a URL that a caller sends', () => {
  it.each(notPublic.map((address) => `http://${literal(address)}/`).concat(spellings))('%s is refused', async (url) => {
    const { fetch } = await aFetcher({ ...nothing, resolve: never })
    await expect(fetch(url, patient)).rejects.toMatchObject({
      kind: 'invalid',
      key: 'relay.mediaAddress',
      code: 'invalid_image_url',
    })
  })

  it.each(['http://8.8.8.8:22/', 'https://1.1.1.1:25/', 'http://[2606:4700::1111]:6379/', 'http://8.8.8.8:1/'])(
    '%s is refused for its port',
    async (url) => {
      const { fetch } = await aFetcher({ ...nothing, resolve: never })
      await expect(fetch(url, patient)).rejects.toMatchObject({ key: 'relay.mediaAddress' })
    },
  )

  it.each([
    'file:///etc/passwd',
    'ftp://8.8.8.8/a',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'blob:http://8.8.8.8/a',
    'ws://8.8.8.8/',
    'about:blank',
    '//8.8.8.8/a',
    '/etc/passwd',
    'http://',
    'http://user@8.8.8.8/',
    'http://user:word@8.8.8.8/',
    'http://8.8.8.8@127.0.0.1/',
    'http://8.8.8.8:80:80/',
    'http://1.2.3.4.5/',
    'http://[::1/',
    `http://8.8.8.8/${'a'.repeat(8200)}`,
    '',
  ])('%s cannot be fetched from', async (url) => {
    const { fetch } = await aFetcher({ isAllowed: () => true, resolve: never })
    await expect(fetch(url, patient)).rejects.toMatchObject({
      kind: 'invalid',
      key: 'relay.mediaUrl',
      code: 'invalid_image_url',
    })
  })
})

describe('a host name', () => {
  /** A resolver that gives its results one after the other, repeats the last, and counts calls. */
  const answering = (...answers: string[][]) => {
    const asked: string[] = []
    const resolve: Resolve = async (hostname) => {
      const now = answers[Math.min(asked.length, answers.length - 1)] ?? []
      asked.push(hostname)
      return now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    return { resolve, asked }
  }
  const refused = { kind: 'invalid', key: 'relay.mediaAddress', code: 'invalid_image_url' }

  it.each(notPublic)(
    'that resolves to %s is refused, and the message does not contain the address',
    async (address) => {
      const { resolve, asked } = answering([address])
      const { fetch } = await aFetcher({ ...nothing, resolve })
      const error = await fetch('http://pictures.test/a.png', patient).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ ...refused, params: { host: 'pictures.test' } })
      expect(asked).toEqual(['pictures.test'])
      if (!(error instanceof GatewayError)) throw error
      for (const language of ['en', 'zh'] as const)
        expect(formatMessage(language, error.key, error.params)).not.toContain(address.length > 2 ? address : '[::]')
      expect(String(error.cause)).toBe('AddressRefused: pictures.test may not be used')
    },
  )

  it('is refused when one of its addresses is, at any position', async () => {
    for (const addresses of [
      ['8.8.8.8', '10.0.0.1'],
      ['::1', '8.8.8.8'],
      ['2606:4700::1111', '8.8.8.8', 'fe80::1'],
    ]) {
      const { fetch } = await aFetcher({ ...nothing, ...answering(addresses) })
      await expect(fetch('http://pictures.test/', patient)).rejects.toMatchObject(refused)
    }
  })

  it('is refused under https as well', async () => {
    const { fetch } = await aFetcher({ ...nothing, ...answering(['127.0.0.1']) })
    await expect(fetch('https://pictures.test/', patient)).rejects.toMatchObject(refused)
  })

  it('without any address is refused', async () => {
    const { fetch } = await aFetcher({ ...nothing, ...answering([]) })
    await expect(fetch('http://pictures.test/', patient)).rejects.toMatchObject(refused)
  })

  it('that does not exist could not be fetched from', async () => {
    const { fetch } = await aFetcher({ ...nothing, resolve: never })
    await expect(fetch('http://pictures.test/', patient)).rejects.toMatchObject({ key: 'relay.mediaFailed' })
  })

  it('is looked up once: the address that was judged is the one dialled (DNS rebinding)', async () => {
    const server = await aFileServer((_, response) => void response.end(PNG))
    const { resolve, asked } = answering(['127.0.0.1'], ['127.0.0.2'])
    const { fetch } = await aFetcher({ isAllowed: (address) => address === '127.0.0.1', resolve })
    expect(await fetch(`http://pictures.test:${server.port}/1`, patient)).toMatchObject({ mime: 'image/png' })
    expect([asked.length, server.asked.length]).toEqual([1, 1])
    await expect(fetch(`http://pictures.test:${server.port}/2`, patient)).rejects.toMatchObject(refused)
    expect([asked.length, server.asked.length]).toEqual([2, 1])
  })

  it('is judged again after a redirect to itself', async () => {
    const server = await aFileServer((_, response) => void response.writeHead(302, { location: '/next' }).end())
    const { resolve, asked } = answering(['127.0.0.1'], ['127.0.0.2'])
    const { fetch } = await aFetcher({ isAllowed: (address) => address === '127.0.0.1', resolve })
    await expect(fetch(`http://pictures.test:${server.port}/first`, patient)).rejects.toMatchObject(refused)
    expect([asked.length, server.asked.map(({ url }) => url)]).toEqual([2, ['/first']])
  })
})

describe('a redirect', () => {
  it.each([
    'http://127.0.0.2/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.2]/',
    'http://2130706434/',
    '//192.168.0.1/',
    'http://metadata.google.internal/',
    'http://127.0.0.1:22/',
    'file:///etc/passwd',
    'ftp://8.8.8.8/',
    'data:image/png;base64,AAAA',
    'http://user:word@8.8.8.8/',
    'http://',
  ])('to %s is not followed, and the answer does not reveal its target', async (location) => {
    const server = await aFileServer((_, response) => void response.writeHead(307, { location }).end())
    const isAllowed = (address: string, port: number) => address === '127.0.0.1' && port === server.port
    const { fetch } = await aFetcher({ isAllowed, resolve: never })
    await expect(fetch(server.url, patient)).rejects.toMatchObject({
      kind: 'invalid',
      key: 'relay.mediaAddress',
      params: { host: `127.0.0.1:${server.port}` },
    })
    expect(server.asked).toHaveLength(1)
  })
})
