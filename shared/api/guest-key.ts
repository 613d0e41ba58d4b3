import { z } from 'zod'
import { call } from './call.ts'
import { idParams, MAX_QUOTA, nameText, text } from './fields.ts'

const MAX_GUEST_MODELS = 200
/** Maximum validity of a guest key, in days. */
export const MAX_GUEST_DAYS = 366

const guestKeyView = z
  .object({
    id: z.int(),
    name: z.string(),
    state: z.enum(['active', 'revoked', 'expired', 'used_up']),
    masked_key: z.string(),
    group: z.string().describe("Empty means the group of the owner's account."),
    models: z.array(z.string()).describe('Empty means all models of the group.'),
    remain_quota: z.int(),
    used_quota: z.int(),
    created_at: z.int().describe('Unix seconds, like all times here.'),
    expires_at: z.int(),
    last_used_at: z.int().describe('0 for never.'),
  })
  .meta({ id: 'GuestKey' })
export type GuestKeyView = z.infer<typeof guestKeyView>

const deviceView = z
  .object({
    address: z.string(),
    username: z.string(),
    token_id: z.int().describe('0 for the session of an account.'),
    key_name: z.string().describe('Empty for a session.'),
    client: z.string().describe('The kind of program that called last, or `other`.'),
    last_at: z.int().describe('Unix seconds.'),
    calls_today: z.int(),
  })
  .meta({ id: 'DeviceView' })
export type DeviceView = z.infer<typeof deviceView>

/** Guest keys, and the devices that have called (docs/reference/share-people.md). */
export const guestKey = {
  list: call({
    method: 'GET',
    path: '/api/share/keys',
    summary: 'Lists your guest keys, newest first; at most 200.',
    access: 'root',
    answer: z.array(guestKeyView),
  }),
  create: call({
    method: 'POST',
    path: '/api/share/keys',
    summary:
      'Creates a guest key: one of your API tokens, with an expiry and a limit. Only this response contains the key.',
    access: 'root',
    body: z.object({
      name: nameText(30),
      group: text(64).default('').describe('Empty means the group of your account.'),
      models: z
        .array(text(200).refine((name) => name.trim() !== '' && !/[,\n]/.test(name)))
        .max(MAX_GUEST_MODELS)
        .default([])
        .describe('Empty means all models of the group.'),
      quota: z.int().min(1).max(MAX_QUOTA),
      expires_at: z.int().min(1).describe(`Unix seconds; at most ${MAX_GUEST_DAYS} days from now.`),
    }),
    answer: guestKeyView.extend({ key: z.string().describe('With `sk-`.') }),
  }),
  revoke: call({
    method: 'POST',
    path: '/api/share/keys/:id/revoke',
    summary: "Disables any user's API token at once; its running requests end.",
    access: 'root',
    params: idParams,
    answer: z.null(),
  }),
  devices: call({
    method: 'GET',
    path: '/api/share/devices',
    summary: 'Lists the callers from other devices since the start, the latest first; at most 256.',
    access: 'root',
    onDemo: 'closed',
    answer: z.array(deviceView),
  }),
}
export type GuestKeyFields = z.output<typeof guestKey.create.body>
