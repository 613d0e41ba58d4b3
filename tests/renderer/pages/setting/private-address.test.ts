import { expect, it } from 'vitest'
import { isPrivateAddress } from '../../../../renderer/pages/setting/panel/private-address.ts'

it('recognizes addresses that no payment provider can reach', () => {
  const hidden = [
    'http://localhost:6411',
    'http://127.0.0.1:6411',
    'http://10.0.0.5',
    'https://172.16.0.1',
    'http://192.168.1.7:80',
    'http://169.254.1.1',
    'http://100.64.0.1',
    'http://0.0.0.0:6411',
    'http://[::1]:6411',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://gate',
    'https://gate.local',
  ]
  expect(hidden.filter((address) => !isPrivateAddress(address))).toEqual([])
  const open = [
    'https://gate.example',
    'http://172.32.0.1',
    'http://8.8.8.8',
    'http://[2001:db8::1]',
    'http://100.128.0.1',
    '',
  ]
  expect(open.filter(isPrivateAddress)).toEqual([])
})
