import { describe, expect, it } from 'vitest'
import {
  addressList,
  clientAddress,
  inRanges,
  isLoopback,
  networkOf,
  normalAddress,
  ranges,
} from '../../../gateway/limits/client-address.ts'

const nobody = () => false

describe('one spelling for each address', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [' 10.0.0.1 ', '10.0.0.1'],
    ['::', '::'],
    ['', ''],
    ['example.org', ''],
    ['1.2.3', ''],
    ['1.2.3.4, 5.6.7.8', ''],
  ])('%s becomes %s', (given, wanted) => expect(normalAddress(given)).toBe(wanted))
})

describe('ranges', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7'], true],
    ['192.0.2.8', ['192.0.2.7'], false],
    ['192.0.2.7', ['192.0.2.0/24'], true],
    ['192.0.3.7', ['192.0.2.0/24'], false],
    ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
    ['192.0.2.7', ['::ffff:192.0.2.0/120'], true],
    ['2001:db8::5', ['2001:db8::/32'], true],
    ['2001:db9::5', ['2001:db8::/32'], false],
    ['10.1.2.3', ['0.0.0.0/0'], true],
    ['2001:db8::5', ['0.0.0.0/0'], false],
    ['10.1.2.3', ['10.1.2.3/33', '10.1.2.3/-1', '10.1.2.3/x', '10.1.2.3/8/8', 'nonsense', ''], false],
    ['not an address', ['0.0.0.0/0', '::/0'], false],
  ])('%s in %j is %s', (address, lines, wanted) => expect(inRanges(address, lines)).toBe(wanted))

  it('read a list of lines, where an empty list allows everyone and an unreadable one no one', () => {
    expect(addressList('')('203.0.113.9')).toBe(true)
    expect(addressList(' \n\n')('203.0.113.9')).toBe(true)
    expect(addressList('10.0.0.0/8\n 203.0.113.9 ')('203.0.113.9')).toBe(true)
    expect(addressList('10.0.0.0/8')('203.0.113.9')).toBe(false)
    expect(addressList('nonsense')('203.0.113.9')).toBe(false)
  })

  it('know this machine in every spelling', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) expect(isLoopback(address)).toBe(true)
    for (const address of ['128.0.0.1', '::2', '0.0.0.0', '']) expect(isLoopback(address)).toBe(false)
  })
})

describe('the client behind a connection', () => {
  const proxies = ranges(['10.0.0.0/8', '::1'])

  it('is the peer when no proxy is trusted, regardless of what it claims', () => {
    expect(clientAddress('203.0.113.9', '127.0.0.1', nobody)).toBe('203.0.113.9')
    expect(clientAddress('::ffff:203.0.113.9', undefined, nobody)).toBe('203.0.113.9')
  })

  it('is the right-most hop that is not a trusted proxy', () => {
    expect(clientAddress('10.0.0.1', '127.0.0.1, 198.51.100.4', proxies)).toBe('198.51.100.4')
    expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.4, 10.0.0.2', proxies)).toBe('198.51.100.4')
    expect(clientAddress('203.0.113.9', '198.51.100.4', proxies)).toBe('203.0.113.9')
  })

  it.each([
    ['203.0.113.7:51008', '203.0.113.7'],
    ['[2001:db8::7]:51008', '2001:db8::7'],
    ['6.6.6.6, 203.0.113.7:51008, 10.0.0.2:443', '203.0.113.7'],
    ['2001:db8::7:51', '2001:db8::7:51'],
  ])('is read from %s, which may have a port', (hops, wanted) =>
    expect(clientAddress('10.0.0.1', hops, proxies)).toBe(wanted),
  )

  it.each([
    ...['203.0.113.7:', '203.0.113.7:http', '203.0.113.7:123456', '203.0.113:80', '[203.0.113.7:80', 'example.org:80'],
    ...['[2001:db8::7]80', '[[2001:db8::7]]:80', ':80', '203.0.113.7:1:2', '203.0.113.7 80', 'unknown', '_hidden', ''],
  ])('is not read from “%s”, which the operator is warned of', (hop) => {
    const warned: string[] = []
    const address = clientAddress('10.0.0.1', `198.51.100.4,${hop}`, proxies, (...said) => void warned.push(...said))
    expect([address, ...warned]).toEqual(['10.0.0.1', hop, '10.0.0.1'])
  })

  it('stays the last proxy that can be believed when the header ends or is broken', () => {
    expect(clientAddress('10.0.0.1', undefined, proxies)).toBe('10.0.0.1')
    expect(clientAddress('10.0.0.1', '10.0.0.3, 10.0.0.2', proxies)).toBe('10.0.0.3')
    expect(clientAddress('10.0.0.1', '198.51.100.4, unknown', proxies)).toBe('10.0.0.1')
  })
})

describe('the unit that limits count by', () => {
  it('is the address itself for IPv4 and the /64 for IPv6', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2:ffff::1'))
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  })
})
