import { z } from 'zod'
import { call } from './call.ts'
import { creationOptions, newPasskey } from './passkey.ts'
import { passwordText, turnstileToken, usernameText } from './user.ts'

export const MAX_EMAIL = 50

/** Seconds until the console allows requesting another mail. */
export const MAIL_AGAIN_S = 30

const email = z.string().max(320)
const inviteCode = z.string().max(64)
/** Trimmed, because an empty code means no invitation, here and at shared addresses. */
const invitationCode = z.string().max(200).trim()
const human = { turnstile: turnstileToken }

/** Registration and password recovery (docs/reference/accounts.md#registration). */
export const registration = {
  register: call({
    method: 'POST',
    path: '/api/user/register',
    summary: 'Registers an account.',
    access: 'public',
    limit: 'register',
    query: z.object(human),
    body: z.object({
      username: usernameText.default(''),
      password: passwordText.default(''),
      password2: passwordText.optional().describe('The password again, if sent.'),
      passkey: newPasskey.optional().describe('A passkey instead of a password.'),
      email: email.default(''),
      verification_code: z.string().max(64).default(''),
      invitation: invitationCode
        .default('')
        .describe('The code of an invitation link, which permits registration even if it is closed.'),
      aff_code: inviteCode.default('').describe('The code of the inviting account; an unknown code is ignored.'),
    }),
    answer: z.null(),
  }),
  passkey: call({
    method: 'POST',
    path: '/api/user/register/passkey',
    summary: 'Starts the creation of a passkey for an account that is to be registered with this name.',
    access: 'public',
    limit: 'register',
    body: z.object({ username: usernameText.default(''), invitation: invitationCode.default('') }),
    answer: creationOptions,
  }),
  verification: call({
    method: 'GET',
    path: '/api/verification',
    summary: 'Sends a code to an email address: to visitors for registration, to accounts for binding the address.',
    access: 'visitor',
    hasEffect: true,
    limit: 'mail',
    onDemo: 'closed',
    query: z.object({ ...human, email: email.default('') }),
    answer: z.null(),
  }),
  requestReset: call({
    method: 'GET',
    path: '/api/reset_password',
    summary:
      'Sends a link for a new password if an account has the address; the response is the same for every address.',
    access: 'public',
    hasEffect: true,
    limit: 'mail',
    onDemo: 'closed',
    query: z.object({ ...human, email: email.default('') }),
    answer: z.null(),
  }),
  reset: call({
    method: 'POST',
    path: '/api/user/reset',
    summary: 'Exchanges the token of a reset link for a new password, and returns it; all sessions end.',
    access: 'public',
    limit: 'reset',
    body: z.object({ email: email.default(''), token: z.string().max(64).default('') }),
    answer: z.string(),
  }),
  bindEmail: call({
    method: 'GET',
    path: '/api/oauth/email/bind',
    summary: 'Binds an email address to your account with the code that was sent to it.',
    access: 'user',
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'oauth',
    onDemo: 'closed',
    query: z.object({ email: email.default(''), code: z.string().max(64).default('') }),
    answer: z.null(),
  }),
}
