import { z } from 'zod'
import { shareSettings } from '../share/share-settings.ts'
import { call } from './call.ts'
import { passwordText } from './user.ts'

const localizedReason = z.string().describe('In the language of the caller.')

/** Why an address, or sharing as a whole, is not open. */
export const closedReasons = [
  'port_taken',
  'address_gone',
  'not_permitted',
  'not_set_up',
  'password',
  'certificate',
  'failed',
] as const

/** Why sharing cannot be enabled. `password_unknown`: the change must include the password. */
export const shareRefusals = ['environment', 'not_set_up', 'password_unknown', 'password_short'] as const

const addressView = z
  .object({
    address: z.string().describe('Of this machine; or the name under which it is announced.'),
    interface: z.string().describe('The name of the network interface; empty for an announced name.'),
    kind: z.enum(['private', 'public', 'link_local', 'loopback', 'name']),
    url: z.string(),
    instead_of: z
      .string()
      .describe('The chosen address, which its interface has no more: it has this one now. Empty everywhere else.'),
    is_open: z.boolean(),
    reason: z.enum(closedReasons).nullable(),
    said: localizedReason,
    seen: z
      .object({ from: z.string(), at: z.int().describe('Unix seconds.') })
      .nullable()
      .describe('The last call from another device on this address, since the start.'),
  })
  .meta({ id: 'SharedAddress' })
export type SharedAddress = z.infer<typeof addressView>

const deviceView = z
  .object({
    address: z.string(),
    at: z.int().describe('Its last call, in unix seconds.'),
    requests: z.int().describe('Since the start.'),
    connections: z.int().describe('Open now.'),
    agent: z.string().describe('The name of its program; empty if it gives none.'),
  })
  .meta({ id: 'SharedDevice' })

const caView = z.object({
  name: z.string(),
  fingerprint: z.string().describe('SHA-256, as pairs of hexadecimal digits with colons.'),
  not_after: z.int().describe('Unix seconds.'),
  path: z.string().describe('Its URL at a shared address, open to all.'),
})

const shareView = z
  .object({
    decided_by: z
      .enum(['settings', 'environment'])
      .describe('`environment`: HOST is set and decides where the gateway listens; nothing here can be changed.'),
    environment: z.object({ host: z.string(), port: z.int(), is_beyond_loopback: z.boolean() }).nullable(),
    wish: shareSettings,
    state: z
      .enum(['off', 'open', 'partly', 'closed'])
      .describe(
        '`partly`: some addresses are open; `closed`: it is on, but no address is open. Closed addresses are tried again.',
      ),
    reason: z.enum(closedReasons).nullable(),
    said: localizedReason,
    refused: z
      .object({ code: z.enum(shareRefusals), said: localizedReason })
      .nullable()
      .describe('Why it could not be switched on now.'),
    port: z.int().describe('The one that is used, or would be.'),
    addresses: z.array(addressView),
    interfaces: z
      .array(
        z.object({
          name: z.string(),
          address: z.string(),
          network: z.string().describe('Its network, as a CIDR range.'),
          kind: z.enum(['private', 'public', 'link_local', 'loopback']),
        }),
      )
      .describe('What can be chosen.'),
    connections: z.int(),
    devices: z.array(deviceView).describe('Who has called, the newest first; at most 100, since the start.'),
    ca: caView.nullable().describe('The authority of the certificates; null before the first was made.'),
    certificate: z.object({ names: z.array(z.string()), not_after: z.int().describe('Unix seconds.') }).nullable(),
    announcement: z
      .object({ name: z.string(), state: z.enum(['announced', 'taken', 'failed']), said: localizedReason })
      .nullable()
      .describe('Null while nothing is announced.'),
  })
  .meta({ id: 'Share' })
export type ShareView = z.infer<typeof shareView>

const checkView = z
  .object({
    address: z.string(),
    url: z.string(),
    verdict: z
      .enum(['reachable', 'refused', 'timed_out', 'other', 'untrusted', 'unknown_name', 'closed'])
      .describe('`other`: another program responds there; `closed`: the gateway does not listen there.'),
    said: localizedReason,
    took_ms: z.int(),
  })
  .meta({ id: 'ShareCheck' })
export type ShareCheck = z.infer<typeof checkView>

/** Sharing on the local network (docs/reference/share.md). */
export const share = {
  look: call({
    method: 'GET',
    path: '/api/share',
    summary: 'Returns whether and how the gateway is shared on the local network, its addresses, and its callers.',
    access: 'root',
    onDemo: 'closed',
    answer: shareView,
  }),
  address: call({
    method: 'GET',
    path: '/api/share/address',
    summary: 'Returns the address at which others can open the gateway, for links to them.',
    access: 'user',
    answer: z.object({ url: z.string().describe('Empty while only the machine of the gateway can.') }),
  }),
  change: call({
    method: 'PUT',
    path: '/api/share',
    summary: 'Changes how the gateway is shared, at once; switched off, every connection ends.',
    access: 'root',
    isInPerson: true,
    body: shareSettings.partial().extend({
      password: passwordText.default('').describe('Yours, where `refused` is `password_unknown`.'),
    }),
    answer: shareView,
  }),
  check: call({
    method: 'POST',
    path: '/api/share/check',
    summary: 'Has the gateway call itself at its shared addresses, or one of them, and returns the results.',
    access: 'root',
    limit: 'per-user',
    body: z.object({ address: z.string().max(253).default('').describe('Empty for all.') }),
    answer: z.array(checkView),
  }),
  ca: call({
    method: 'GET',
    path: '/api/share/ca',
    summary: 'Gives the certificate of the authority that clients are to trust.',
    access: 'root',
    onDemo: 'closed',
    answer: caView.extend({ pem: z.string() }),
  }),
}
