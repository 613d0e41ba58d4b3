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
      password2: passwordText.optional().describe('Where it is sent, it must be the password once more.'),
      passkey: newPasskey.optional().describe('In place of a password, which the account has none then.'),
      email: email.default(''),
      verification_code: z.string().max(64).default(''),
      invitation: invitationCode
        .default('')
        .describe('The code of a link of invitation, which opens a closed registration.'),
      aff_code: inviteCode.default('').describe('Of who has invited; an unknown one counts for nothing.'),
    }),
    answer: z.null(),
  }),
  passkey: call({
    method: 'POST',
    path: '/api/user/register/passkey',
    summary: 'Begins a passkey for an account that is about to be registered by this name.',
    access: 'public',
    limit: 'register',
    body: z.object({ username: usernameText.default(''), invitation: invitationCode.default('') }),
    answer: creationOptions,
  }),
  verification: call({
    method: 'GET',
    path: '/api/verification',
    summary: 'Sends a code to a mail address: to a visitor for registering, to an account for binding it.',
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
      'Sends a link to choose a new password if an account has the address; the response is the same if none has.',
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
    summary: 'Takes the token of a reset link for a new password, which is answered; all sessions end.',
    access: 'public',
    limit: 'reset',
    body: z.object({ email: email.default(''), token: z.string().max(64).default('') }),
    answer: z.string(),
  }),
  bindEmail: call({
    method: 'GET',
    path: '/api/oauth/email/bind',
    summary: 'Binds a mail address to your account, by the code that was sent to it.',
    access: 'user',
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'oauth',
    onDemo: 'closed',
    query: z.object({ email: email.default(''), code: z.string().max(64).default('') }),
    answer: z.null(),
  }),
}
