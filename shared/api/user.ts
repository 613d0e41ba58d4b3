import { z } from 'zod'
import { call } from './call.ts'

/** Maximum length of an account's display name, in code points. */
export const MAX_DISPLAY_NAME = 20

/** An account's texts before validation, which has its own messages (gateway/accounts/account-fields.ts). */
export const usernameText = z.string().max(200)
export const passwordText = z.string().max(256)

/** The browser's Turnstile token, if the human check is on. */
export const turnstileToken = z.string().max(4096).optional()

/** The login response: no other fields of the account are returned (docs/reference/accounts.md#login). */
export const signedInView = z
  .object({
    id: z.int(),
    username: z.string(),
    display_name: z.string(),
    role: z.int(),
    status: z.int(),
    group: z.string(),
  })
  .meta({ id: 'SignedIn' })
export type SignedIn = z.infer<typeof signedInView>

/**
 * The response to the first factor: the user, or that a second factor is required
 * (docs/reference/accounts.md#two-factors).
 */
export const loginAnswer = z.union([signedInView, z.object({ require_2fa: z.literal(true) })])
export type LoginAnswer = z.infer<typeof loginAnswer>

/** A user in the API (docs/reference/api.md#user-object); never a password hash or an access token. */
export const userView = z
  .object({
    ...signedInView.shape,
    email: z.string(),
    github_id: z.string(),
    oidc_id: z.string(),
    wechat_id: z.string(),
    telegram_id: z.string(),
    linux_do_id: z.string(),
    quota: z.int(),
    used_quota: z.int(),
    request_count: z.int(),
    aff_code: z.string(),
    aff_count: z.int(),
    aff_quota: z.int(),
    aff_history_quota: z.int(),
    inviter_id: z.int(),
    DeletedAt: z
      .string()
      .nullable()
      .describe('ISO time, or null while active. The field has this capitalization in all compatible gateways.'),
    setting: z.string(),
    password: z.literal(''),
    original_password: z.literal(''),
    verification_code: z.literal(''),
  })
  .meta({ id: 'User' })
export type UserView = z.infer<typeof userView>

/** A group a user may choose; the ratio is "auto" for automatic selection (docs/reference/accounts.md#groups). */
export const groupChoices = z
  .record(z.string(), z.object({ desc: z.string(), ratio: z.union([z.number(), z.string()]) }))
  .meta({ id: 'GroupChoices' })

export const user = {
  login: call({
    method: 'POST',
    path: '/api/user/login',
    summary: 'Logs in with a name and a password and sets the session cookie.',
    access: 'public',
    onDemo: 'open',
    limit: 'login',
    query: z.object({ turnstile: turnstileToken }),
    body: z.object({ username: usernameText.default(''), password: passwordText.default('') }),
    answer: loginAnswer,
  }),
  logout: call({
    method: 'GET',
    path: '/api/user/logout',
    summary: 'Ends the session of the request.',
    access: 'public',
    hasEffect: true,
    answer: z.null(),
  }),
  self: call({
    method: 'GET',
    path: '/api/user/self',
    summary: 'Returns your own account.',
    access: 'user',
    beforeFactors: true,
    answer: userView,
  }),
  models: call({
    method: 'GET',
    path: '/api/user/models',
    summary: 'Lists the models that the account may use.',
    access: 'user',
    answer: z.array(z.string()),
  }),
  groups: call({
    method: 'GET',
    path: '/api/user/groups',
    summary: 'Lists the groups that a visitor, or the account of the request, may select.',
    access: 'visitor',
    answer: groupChoices,
  }),
  ownGroups: call({
    method: 'GET',
    path: '/api/user/self/groups',
    summary: 'Lists the groups that the account may select for its tokens.',
    access: 'user',
    answer: groupChoices,
  }),
}
