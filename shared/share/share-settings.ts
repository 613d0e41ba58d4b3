import { z } from 'zod'

/** Networks allowed by default: private ones, and this machine (docs/reference/share.md#access). */
const privateNetworks: readonly string[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1',
]

/** The path at which a shared address serves its CA certificate to anyone. */
export const CA_PATH = '/switchyard-ca.crt'

/** Minimum length of the super administrator's password while sharing, unless there is a passkey. */
export const MIN_PASSWORD_LENGTH = 12

const MAX_ALLOWED = 100
const MAX_BLOCKED = 256

/** The sharing settings, which persist across restarts. */
export const shareSettings = z.object({
  on: z.boolean(),
  address: z.string().max(45).describe('The one address of this machine to listen on; empty for all of them.'),
  port: z.int().min(0).max(65_535).describe('0 is the port of the gateway itself.'),
  is_encrypted: z
    .boolean()
    .describe("Whether clients connect over TLS, with a certificate of the gateway's own authority."),
  allowed: z
    .array(z.string().max(50))
    .max(MAX_ALLOWED)
    .describe('Addresses and CIDR ranges that are let in; an empty list lets everybody in.'),
  blocked: z
    .array(z.string().max(50))
    .max(MAX_BLOCKED)
    .describe('Addresses and CIDR ranges that are always refused, even if the allowed list contains them.'),
  announces: z.boolean().describe('Whether `<name>.local` is announced by multicast DNS.'),
  name: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i)
    .describe('The name before `.local`.'),
  registration: z.boolean().describe('Whether strangers may register at a shared address, where they may at all.'),
})
export type ShareSettings = z.output<typeof shareSettings>

export const defaultShareSettings: ShareSettings = {
  on: false,
  address: '',
  port: 0,
  is_encrypted: true,
  allowed: [...privateNetworks],
  blocked: [],
  announces: false,
  name: 'switchyard',
  registration: false,
}
