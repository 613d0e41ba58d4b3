import { z } from 'zod'
import { call } from './call.ts'
import { nameText, quota } from './fields.ts'
import { MAX_DISPLAY_NAME, passwordText, usernameText } from './user.ts'

/** How an account is notified about its balance (docs/reference/accounts.md#notices). */
export const noticeTypes = ['email', 'webhook'] as const

const settingShape = {
  notify_type: z.string().max(20),
  quota_warning_threshold: z.number(),
  webhook_url: z.string().max(2000),
  webhook_secret: z.string().max(500),
  notification_email: z.string().max(320),
  accept_unset_model_ratio_model: z.boolean(),
  record_ip_log: z.boolean(),
}

/** A user's `setting` as its owner sees it; `webhook_secret` is masked. Invalid fields are omitted. */
export const userSetting = z.object({
  notify_type: z.enum(noticeTypes).optional().catch(undefined),
  quota_warning_threshold: settingShape.quota_warning_threshold.optional().catch(undefined),
  webhook_url: settingShape.webhook_url.optional().catch(undefined),
  webhook_secret: settingShape.webhook_secret.optional().catch(undefined),
  notification_email: settingShape.notification_email.optional().catch(undefined),
  accept_unset_model_ratio_model: z.boolean().optional().catch(undefined),
  record_ip_log: z.boolean().optional().catch(undefined),
})
export type UserSetting = z.infer<typeof userSetting>

const settingChange = z.object({
  notify_type: settingShape.notify_type.optional().describe('email or webhook.'),
  quota_warning_threshold: settingShape.quota_warning_threshold.optional().describe('In quota, more than 0.'),
  webhook_url: settingShape.webhook_url.optional(),
  webhook_secret: settingShape.webhook_secret
    .nullable()
    .optional()
    .describe('Empty, or the value as shown, keeps the stored one; null removes it.'),
  notification_email: settingShape.notification_email
    .optional()
    .describe(
      "The address for notices; empty means the account's address. Another address requires `notification_code`.",
    ),
  notification_code: z
    .string()
    .max(20)
    .optional()
    .describe('The code that `POST /api/user/setting/code` sent to `notification_email`.'),
  accept_unset_model_ratio_model: z.boolean().optional(),
  record_ip_log: z.boolean().optional(),
})
export type SettingChange = z.output<typeof settingChange>

const ownChange = z.object({
  username: usernameText.optional(),
  display_name: nameText(MAX_DISPLAY_NAME).optional(),
  original_password: passwordText.optional().describe('Required with a new password, if the account has a password.'),
  password: passwordText.optional().describe('Empty leaves it unchanged.'),
})
export type OwnChange = z.output<typeof ownChange>

/** A user's own account (docs/reference/accounts.md#own-account). */
export const ownAccount = {
  update: call({
    method: 'PUT',
    path: '/api/user/self',
    summary:
      'Changes the fields of your own account that are present in the body. A new password ends all other sessions.',
    access: 'user',
    limit: 'per-user',
    body: ownChange,
    answer: z.null(),
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/user/self',
    summary: 'Deactivates your own account permanently.',
    access: 'user',
    isInPerson: true,
    answer: z.null(),
  }),
  accessToken: call({
    method: 'GET',
    path: '/api/user/token',
    summary: 'Creates an access token for this API, which replaces the previous one. Only this response contains it.',
    access: 'user',
    needsRecentLogin: true,
    isInPerson: true,
    limit: 'per-user',
    onDemo: 'closed',
    answer: z.string(),
  }),
  inviteCode: call({
    method: 'GET',
    path: '/api/user/aff',
    summary: 'Returns your own invitation code, and creates it on first use.',
    access: 'user',
    answer: z.string(),
  }),
  transfer: call({
    method: 'POST',
    path: '/api/user/aff_transfer',
    summary: 'Transfers rewards of invitations to your balance.',
    access: 'user',
    limit: 'per-user',
    body: z.object({ quota }),
    answer: z.null(),
  }),
  settingCode: call({
    method: 'POST',
    path: '/api/user/setting/code',
    summary: 'Sends a code to a new address for notifications; they are only sent to a confirmed address.',
    access: 'user',
    limit: 'per-user',
    body: z.object({ email: settingShape.notification_email }),
    answer: z.null(),
  }),
  setting: call({
    method: 'PUT',
    path: '/api/user/setting',
    summary:
      'Changes your notices about the balance, whether your IP address is recorded, and whether you accept models without a price; only the fields that are present.',
    access: 'user',
    body: settingChange,
    answer: z.null(),
  }),
}
