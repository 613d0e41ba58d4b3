import { expect, it } from 'vitest'
import { nearUrl, urlAt } from '../../../gateway/base/network/own-urls.ts'
import { type OwnAddress, urlsOf } from '../../../gateway/share/interfaces.ts'

const machine: readonly OwnAddress[] = [
  { name: 'eth0', address: 'fd00::5', network: 'fd00::5/64', kind: 'private' },
  { name: 'eth0', address: '192.168.1.5', network: '192.168.1.5/24', kind: 'private' },
  { name: 'eth1', address: '169.254.3.3', network: '169.254.3.3/16', kind: 'link_local' },
]

it('the address of this machine is loopback where the gateway listens on all addresses (docs/reference/share.md#addresses-in-links)', () => {
  expect(nearUrl('127.0.0.1', 6411)).toBe('http://127.0.0.1:6411')
  expect(nearUrl('0.0.0.0', 80)).toBe('http://127.0.0.1')
  expect(nearUrl('::', 6411)).toBe('http://[::1]:6411')
  expect(nearUrl('192.168.1.5', 6411)).toBe('http://192.168.1.5:6411')
  expect(urlAt('fe80::1%eth0', 6411, 'https')).toBe('https://[fe80::1]:6411')
})

it('the addresses for others are each address of this machine, or the one it listens on', () => {
  expect(urlsOf('0.0.0.0', 6411, machine)).toEqual(['http://192.168.1.5:6411'])
  expect(urlsOf('::', 6411, machine)).toEqual(['http://192.168.1.5:6411', 'http://[fd00::5]:6411'])
  expect(urlsOf('gateway.lan', 6411, machine)).toEqual(['http://gateway.lan:6411'])
  expect(urlsOf('0.0.0.0', 6411, [])).toEqual([])
})
