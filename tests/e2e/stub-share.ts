import type { DeviceView, GuestKeyView } from '../../shared/api/guest-key.ts'
import type { ShareCheck, SharedAddress, ShareView } from '../../shared/api/share.ts'
import { defaultShareSettings } from '../../shared/share/share-settings.ts'

const NOW = Math.floor(Date.now() / 1000)
const DAY = 86_400

const anAddress = (address: string, more: Partial<SharedAddress> = {}): SharedAddress => ({
  address,
  interface: 'eth0',
  kind: 'private',
  url: `https://${address}:3000`,
  instead_of: '',
  is_open: true,
  reason: null,
  message: '',
  seen: null,
  ...more,
})

/** Sharing is off, but possible. */
export const off: ShareView = {
  decided_by: 'settings',
  environment: null,
  settings: { ...defaultShareSettings },
  state: 'off',
  reason: null,
  message: '',
  refused: null,
  port: 3000,
  addresses: [anAddress('192.168.1.20', { is_open: false })],
  interfaces: [
    { name: 'eth0', address: '192.168.1.20', network: '192.168.1.0/24', kind: 'private' },
    { name: 'wlan0', address: '10.0.0.7', network: '10.0.0.0/16', kind: 'private' },
  ],
  connections: 0,
  devices: [],
  ca: null,
  certificate: null,
  announcement: null,
}

/** Shared at addresses of all kinds: seen, reached, not reached, closed, and a name. */
export const shared: ShareView = {
  ...off,
  settings: { ...defaultShareSettings, on: true, announces: true, blocked: ['192.168.1.66'] },
  state: 'partly',
  addresses: [
    anAddress('192.168.1.20', { seen: { from: '192.168.1.31', at: NOW - 90 } }),
    anAddress('10.0.0.7', { interface: 'wlan0' }),
    anAddress('fd12:3456:789a:1::7', { interface: 'wlan0', url: 'https://[fd12:3456:789a:1::7]:3000' }),
    anAddress('172.16.4.4', {
      interface: 'vpn0',
      is_open: false,
      reason: 'port_taken',
      message: 'Another program uses port 3000 on 172.16.4.4. Choose another port; it is tried again every 30 seconds.',
    }),
    anAddress('switchyard.local', { interface: '', kind: 'name' }),
  ],
  connections: 3,
  ca: {
    name: 'Switchyard local CA 3f9c02',
    fingerprint: Array.from({ length: 32 }, (_, n) => (n * 7 + 16).toString(16).padStart(2, '0').toUpperCase()).join(
      ':',
    ),
    not_after: NOW + 3650 * DAY,
    path: '/switchyard-ca.crt',
  },
  certificate: { names: ['192.168.1.20'], not_after: NOW + 300 * DAY },
}

/** Shared without encryption, and open to all. */
export const plain: ShareView = {
  ...shared,
  settings: { ...shared.settings, is_encrypted: false, allowed: [] },
  state: 'open',
  addresses: [anAddress('192.168.1.20', { url: 'http://192.168.1.20:3000' })],
}

const refusedWith = (code: NonNullable<ShareView['refused']>['code'], text: string): ShareView => ({
  ...off,
  refused: { code, message: text },
})

/** Sharing cannot be enabled, with the reason. */
export const short = refusedWith(
  'password_short',
  'Sharing needs a super administrator with a password of at least 12 characters, or a passkey. Change the password under "Personal settings", then switch sharing on again.',
)
export const unproven = refusedWith(
  'password_unknown',
  'Enter your password once, so that its length can be checked: sharing needs a password of at least 12 characters, or a passkey.',
)
export const decided: ShareView = {
  ...refusedWith(
    'environment',
    'HOST is set to 0.0.0.0 in the environment, so the environment decides where the gateway listens.',
  ),
  decided_by: 'environment',
  environment: { host: '0.0.0.0', port: 3000, is_beyond_loopback: true },
}

/** The results of the gateway's calls to itself. */
export const checks: readonly ShareCheck[] = shared.addresses.map(({ address, url }) => ({
  address,
  url,
  took_ms: 12,
  ...(address.startsWith('10.')
    ? {
        verdict: 'reachable' as const,
        message: 'Reachable from this machine. That does not prove that a firewall lets other devices in.',
      }
    : {
        verdict: 'timed_out' as const,
        message: 'No response within 3 seconds. A firewall may drop the connection.',
      }),
}))

const aKey = (id: number, more: Partial<GuestKeyView> = {}): GuestKeyView => ({
  id,
  name: 'Ann’s phone',
  state: 'active',
  masked_key: 'sk-a1B2…x9Yz',
  group: '',
  models: [],
  remain_quota: 421_300,
  used_quota: 78_700,
  created_at: NOW - 3600,
  expires_at: NOW + DAY,
  last_used_at: NOW - 120,
  ...more,
})

export const keys: readonly GuestKeyView[] = [
  aKey(9),
  aKey(8, {
    name: 'a-name-of-thirty-characters-xx',
    models: ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-20250514'],
    last_used_at: 0,
  }),
  aKey(7, { name: 'Workshop', state: 'used_up', remain_quota: 0 }),
  aKey(6, { name: 'Visitor', state: 'expired', expires_at: NOW - DAY }),
  aKey(5, { name: 'Lost tablet', state: 'revoked' }),
]

const aDevice = (address: string, more: Partial<DeviceView> = {}): DeviceView => ({
  address,
  username: 'root',
  token_id: 9,
  key_name: 'Ann’s phone',
  client: 'claude-code',
  last_at: NOW - 120,
  calls_today: 48,
  ...more,
})

/** Devices with keys and sessions, one of them blocked. */
export const devices: readonly DeviceView[] = [
  aDevice('192.168.1.31'),
  aDevice('192.168.1.40', {
    token_id: 0,
    key_name: '',
    client: 'browser',
    username: 'a-person-with-a-rather-long-name',
  }),
  aDevice('fd12:3456:789a:1:aaaa:bbbb:cccc:dddd', { client: 'other', calls_today: 1204 }),
  aDevice('192.168.1.66', { client: 'openai-python', calls_today: 0, last_at: NOW - 3 * DAY }),
]
