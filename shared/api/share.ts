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
    address: z.string().describe('An address of this machine, or the name by which it is announced.'),
    interface: z.string().describe('The name of the network interface; empty for an announced name.'),
    kind: z.enum(['private', 'public', 'link_local', 'loopback', 'name']),
    url: z.string(),
    instead_of: z
      .string()
      .describe(
        'The selected address, if the interface no longer has it and this address replaces it; otherwise empty.',
      ),
    is_open: z.boolean(),
    reason: z.enum(closedReasons).nullable(),
    message: localizedReason,
    seen: z
      .object({ from: z.string(), at: z.int().describe('Unix seconds.') })
      .nullable()
      .describe('The last call from another device at this address since the start.'),
  })
  .meta({ id: 'SharedAddress' })
export type SharedAddress = z.infer<typeof addressView>

const deviceView = z
  .object({
    address: z.string(),
    at: z.int().describe('Unix seconds of the last call.'),
    requests: z.int().describe('Number of requests since the start.'),
    connections: z.int().describe('Number of open connections.'),
    agent: z.string().describe('The name of the calling program; empty if not sent.'),
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
    settings: shareSettings,
    state: z
      .enum(['off', 'open', 'partly', 'closed'])
      .describe(
        '`partly`: some addresses are open; `closed`: sharing is on, but no address is open. Closed addresses are retried.',
      ),
    reason: z.enum(closedReasons).nullable(),
    message: localizedReason,
    refused: z
      .object({ code: z.enum(shareRefusals), message: localizedReason })
      .nullable()
      .describe('The reason why sharing cannot be turned on now.'),
    port: z.int().describe('The port that is used, or would be.'),
    addresses: z.array(addressView),
    interfaces: z
      .array(
        z.object({
          name: z.string(),
          address: z.string(),
          network: z.string().describe('The network of the address as a CIDR range.'),
          kind: z.enum(['private', 'public', 'link_local', 'loopback']),
        }),
      )
      .describe('The addresses that can be selected.'),
    connections: z.int(),
    devices: z.array(deviceView).describe('Callers since the start, newest first; at most 100.'),
    ca: caView.nullable().describe('The certificate authority; null before the first certificate was created.'),
    certificate: z.object({ names: z.array(z.string()), not_after: z.int().describe('Unix seconds.') }).nullable(),
    announcement: z
      .object({ name: z.string(), state: z.enum(['announced', 'taken', 'failed']), message: localizedReason })
      .nullable()
      .describe('Null if nothing is announced.'),
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
    message: localizedReason,
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
    summary: 'Returns the address at which others can open the gateway, for links.',
    access: 'user',
    answer: z.object({ url: z.string().describe('Empty if only this machine can open the gateway.') }),
  }),
  change: call({
    method: 'PUT',
    path: '/api/share',
    summary: 'Changes how the gateway is shared, at once. Turning sharing off ends all its connections.',
    access: 'root',
    isInPerson: true,
    body: shareSettings.partial().extend({
      password: passwordText.default('').describe('The password of your account, if `refused` is `password_unknown`.'),
    }),
    answer: shareView,
  }),
  check: call({
    method: 'POST',
    path: '/api/share/check',
    summary: 'Calls the gateway at its shared addresses, or one of them, and returns the results.',
    access: 'root',
    limit: 'per-user',
    body: z.object({ address: z.string().max(253).default('').describe('Empty means all.') }),
    answer: z.array(checkView),
  }),
  ca: call({
    method: 'GET',
    path: '/api/share/ca',
    summary: 'Returns the certificate of the authority that clients must trust.',
    access: 'root',
    onDemo: 'closed',
    answer: caView.extend({ pem: z.string() }),
  }),
}
