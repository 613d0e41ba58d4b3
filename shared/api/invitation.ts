import { z } from 'zod'
import { call } from './call.ts'
import { idParams, nameText, quota } from './fields.ts'
import { MAX_REMARK } from './user-admin.ts'

/** Maximum uses of a link, and its maximum validity in seconds. */
export const MAX_USES = 1000
const MAX_INVITATION_SECONDS = 365 * 86_400

/** An invitation link as administrators see it; the code is shown only on creation. */
const invitationView = z
  .object({
    id: z.int(),
    role: z.int(),
    group: z.string(),
    quota: z.int(),
    uses: z.int(),
    used: z.int(),
    expires_at: z.int(),
    note: z.string(),
    created_by: z.int(),
    created_at: z.int(),
  })
  .meta({ id: 'Invitation' })
export type InvitationView = z.infer<typeof invitationView>

const newInvitation = z.object({
  role: z.int().default(1).describe('1 for a user; 10 only by the super administrator.'),
  group: z.string().max(64).default('').describe('Empty means the default group.'),
  quota: quota.default(0).describe('Quota of the new account, in addition to that of all new users.'),
  uses: z.int().min(1).max(MAX_USES).default(1),
  seconds: z
    .int()
    .min(60)
    .max(MAX_INVITATION_SECONDS)
    .default(7 * 86_400)
    .describe('Seconds until the link expires.'),
  note: nameText(MAX_REMARK).default('').describe('The remark of accounts that are created with the link.'),
})
export type NewInvitation = z.output<typeof newInvitation>

/** Invitation links of administrators (docs/reference/accounts.md#invitation-links). */
export const invitation = {
  list: call({
    method: 'GET',
    path: '/api/invitation',
    summary: 'Lists invitation links, newest first.',
    access: 'admin',
    answer: z.array(invitationView),
  }),
  create: call({
    method: 'POST',
    path: '/api/invitation',
    summary: 'Creates an invitation link; only this response contains its code.',
    access: 'admin',
    body: newInvitation,
    answer: z.object({ id: z.int(), code: z.string() }),
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/invitation/:id',
    summary: 'Deletes an invitation link; accounts that were created with it stay.',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
  look: call({
    method: 'POST',
    path: '/api/invitation/look',
    summary: 'Returns what a valid invitation code grants.',
    access: 'public',
    onDemo: 'open',
    limit: 'register',
    body: z.object({ code: z.string().max(200) }),
    answer: z.object({ invited_by: z.string(), role: z.int(), quota: z.int(), expires_at: z.int() }),
  }),
}
