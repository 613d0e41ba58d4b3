import { isIP } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addressIn, networkIn, spelled } from '../../../../gateway/base/network/ip-address.ts'
import { metadataAddress } from '../../../../gateway/base/network/metadata-address.ts'
import { randomFrom } from '../../../support/random.ts'

describe('an address', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['0:0:0:0:0:FFFF:7f00:1', '127.0.0.1'],
    ['::127.0.0.1', '::7f00:1'],
    ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8::0001:0:1', '2001:db8::1:0:1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is %s', (text, wanted) => {
    const address = addressIn(text)
    expect(address && spelled(address)).toBe(wanted)
  })

  it.each([
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.01',
    '127.0.0.1.',
    '1.2.3.256',
    '::ffff:0127.0.0.1',
    '64:ff9b::012.0.0.1',
    '1::2::3',
    '12345::',
    '①.0.0.1',
    '',
    '[]',
    'localhost',
  ])('%j is not one', (text) => expect(addressIn(text)).toBe(undefined))

  it('is read exactly where the system reads one, in the form of the URL standard', () => {
    const random = randomFrom(7)
    const parts = ['0', '1', '10', '255', '256', '01', 'ffff', 'g', '::', ':', ':', '.', '.', '0x7f', '8', '1.2.3.4']
    for (let turn = 0; turn < 20_000; turn += 1) {
      const length = 1 + Math.floor(random() * 12)
      const text = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join('')
      const address = addressIn(text)
      expect(address !== undefined, text).toBe(isIP(text) !== 0)
      if (address?.kind() === 'ipv6') expect(`[${spelled(address)}]`).toBe(new URL(`http://[${text}]`).hostname)
    }
  })
})

describe('a network', () => {
  it.each(['10.0.0.0/8', '10.1.2.3', '::/0', '2001:db8::/32', '::ffff:10.0.0.0/104'])('%s is one', (line) =>
    expect(networkIn(line)).toBeDefined(),
  )
  it.each(['10.0.0.0/33', '10/8', '10.0.0.0/-1', '10.0.0.0/8/8', '::/129', '::ffff:10.0.0.0/95', '/8', '10.0.0.0/'])(
    '%s is not one',
    (line) => expect(networkIn(line)).toBe(undefined),
  )
})

describe('a metadata service', () => {
  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '[::ffff:169.254.169.254]',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2002:6464:64c8:1::',
    '::ffff:100.100.100.200',
    '64:ff9b::168.63.129.16',
    'fe80::a9fe:a9fe%eth0',
    'fd00:ec2::254',
  ])('is known at %s', (address) => expect(metadataAddress(address)).toBe(true))
  it.each(['127.0.0.1', '10.0.0.1', '100.100.100.201', '2002:7f00:1::', '::1', 'fe80::1', '169.254', ''])(
    'is not at %s',
    (address) => expect(metadataAddress(address)).toBe(false),
  )
})
