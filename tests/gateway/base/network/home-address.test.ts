import { describe, expect, it } from 'vitest'
import { isHomeAddress, isHomeHost } from '../../../../gateway/base/network/home-address.ts'

describe('addresses of this machine and its network (docs/reference/local-models.md#addresses)', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.20',
    '::1',
    '[::1]',
    'fd12::1',
    '::ffff:10.0.0.1',
  ])('takes %s for one, written and resolved', (address) => {
    expect([isHomeAddress(address), isHomeHost(address)]).toEqual([true, true])
  })
  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.100.100.200',
    'fd00:ec2::254',
    '2001:4860::1',
    '::',
  ])('does not count %s as one', (address) => {
    expect([isHomeAddress(address), isHomeHost(address)]).toEqual([false, false])
  })
  it('knows names that no public resolver has', () => {
    const home = [
      'localhost',
      'ollama',
      'gpu-box.local',
      'nas.lan',
      'host.docker.internal',
      'a.home.arpa',
      'LOCALHOST.',
      'pc1',
      'a-b',
      'x',
    ]
    expect(home.filter((name) => !isHomeHost(name))).toEqual([])
    const away = [
      '',
      'example.com',
      'localhost.example.com',
      '2130706433',
      '127.1',
      'metadata',
      'metadata.google.internal',
      'ai',
      'AI.',
      'ws',
      'xn--node',
      '0x08080808',
    ]
    expect(away.filter(isHomeHost)).toEqual([])
  })
})
