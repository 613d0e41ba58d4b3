import { z } from 'zod'
import { call } from './call.ts'
import { idParams } from './fields.ts'
import { passwordText, signedInView } from './user.ts'

/** Login methods in an account's history. */
export const loginMethods = [
  'password',
  'github',
  'oidc',
  'linuxdo',
  'wechat',
  'telegram',
  'passkey',
  'desktop',
  'browser',
] as const
export type LoginMethod = (typeof loginMethods)[number]

/** The code of refusals for an account that must set up a second factor first; sent next to the message. */
export const TWO_FACTORS_REQUIRED = 'two_factors_required'

/** Number of recovery codes created at once. */
export const RECOVERY_CODES = 10

const code = z.string().max(64).default('')
const codes = z.array(z.string())

const sessionView = z
  .object({
    id: z.string(),
    ip: z.string(),
    user_agent: z.string(),
    created_at: z.int(),
    last_seen_at: z.int(),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' })
export type SessionView = z.infer<typeof sessionView>

/** A login, or a failed attempt, whether or not its password was right. */
const signInView = z
  .object({
    created_at: z.int(),
    way: z.string(),
    succeeded: z.boolean(),
    ip: z.string(),
    user_agent: z.string(),
  })
  .meta({ id: 'SignIn' })
export type SignInView = z.infer<typeof signInView>

/** Two-factor authentication, sessions and login history (docs/reference/accounts.md#two-factors). */
export const security = {
  confirm: call({
    method: 'POST',
    path: '/api/user/login/2fa',
    summary: 'Completes a login that requires a second factor, with a code from the app or a recovery code.',
    access: 'public',
    onDemo: 'open',
    limit: 'login',
    body: z.object({ code }),
    answer: signedInView,
  }),
  state: call({
    method: 'GET',
    path: '/api/user/2fa/status',
    summary: 'Returns whether your account has a second factor, and the number of unused recovery codes.',
    access: 'user',
    beforeFactors: true,
    answer: z.object({
      enabled: z.boolean(),
      backup_codes_remaining: z.int(),
      has_password: z.boolean(),
      required: z.boolean().describe('Whether your account must have a second factor.'),
      missing: z
        .boolean()
        .describe('Whether your account must have a second factor and has none; all other calls are then refused.'),
    }),
  }),
  propose: call({
    method: 'POST',
    path: '/api/user/2fa/setup',
    summary: 'Creates a secret for an authenticator app; it takes effect with the first code.',
    access: 'user',
    isInPerson: true,
    beforeFactors: true,
    limit: 'per-user',
    body: z.object({
      password: passwordText.default('').describe('The password of your account; required if it has one.'),
    }),
    answer: z.object({
      secret: z.string(),
      qr_code_data: z.string().describe('The otpauth URL for a QR code.'),
    }),
  }),
  enable: call({
    method: 'POST',
    path: '/api/user/2fa/enable',
    summary: 'Turns on two factors with a first code from the app. Only this response contains the recovery codes.',
    access: 'user',
    isInPerson: true,
    beforeFactors: true,
    limit: 'per-user',
    body: z.object({ code }),
    answer: z.object({ backup_codes: codes }),
  }),
  disable: call({
    method: 'POST',
    path: '/api/user/2fa/disable',
    summary: 'Turns off two factors with a code from the app or a recovery code.',
    access: 'user',
    isInPerson: true,
    limit: 'per-user',
    body: z.object({ code }),
    answer: z.null(),
  }),
  renewCodes: call({
    method: 'POST',
    path: '/api/user/2fa/backup_codes',
    summary: 'Replaces the recovery codes; requires a code from the app or one of the previous recovery codes.',
    access: 'user',
    isInPerson: true,
    limit: 'per-user',
    body: z.object({ code }),
    answer: z.object({ backup_codes: codes }),
  }),
  reset: call({
    method: 'DELETE',
    path: '/api/user/:id/2fa',
    summary: 'Removes the second factors of an account with a lower role whose owner lost them.',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
  sessions: call({
    method: 'GET',
    path: '/api/user/self/sessions',
    summary: 'Lists the sessions of your account, most recently used first.',
    access: 'user',
    beforeFactors: true,
    answer: z.array(sessionView),
  }),
  endSession: call({
    method: 'DELETE',
    path: '/api/user/self/sessions/:id',
    summary: 'Ends one of your sessions.',
    access: 'user',
    beforeFactors: true,
    params: z.object({ id: z.string().max(64) }),
    answer: z.null(),
  }),
  endOthers: call({
    method: 'DELETE',
    path: '/api/user/self/sessions',
    summary: 'Ends all your sessions except this one.',
    access: 'user',
    beforeFactors: true,
    answer: z.null(),
  }),
  history: call({
    method: 'GET',
    path: '/api/user/self/sign_ins',
    summary: 'Lists the last fifty logins and failed attempts of your account, newest first.',
    access: 'user',
    beforeFactors: true,
    answer: z.array(signInView),
  }),
}
