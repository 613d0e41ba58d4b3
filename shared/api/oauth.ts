import { z } from 'zod'
import { call } from './call.ts'
import { queryFlag, queryText } from './fields.ts'
import { loginAnswer } from './user.ts'

/** OAuth providers, which redirect back with a code. */
export const redirecting = ['github', 'oidc', 'linuxdo'] as const
export type RedirectingProvider = (typeof redirecting)[number]

/** All providers that accounts can be bound to. */
export const providers = [...redirecting, 'wechat', 'telegram'] as const
export type LoginProvider = (typeof providers)[number]

/** The path a provider redirects back to, below the console's address. */
export const callbackPath = (provider: RedirectingProvider): string => `/oauth/${provider}`

const code = z.string().max(2000).default('')
const invitation = queryText().describe('The code of a link of invitation, for who registers by it.')

const returned = z.object({
  code,
  state: z.string().max(200).default(''),
  error: queryText(),
  error_description: queryText(),
})

/** A user as Telegram's widget sends it: every field that the signature covers, and the signature (`hash`). */
const telegramUser = z.object({
  id: z.string().max(40).default(''),
  first_name: z.string().max(300).optional(),
  last_name: z.string().max(300).optional(),
  username: z.string().max(300).optional(),
  photo_url: z.string().max(2000).optional(),
  auth_date: z.string().max(40).default(''),
  hash: z.string().max(200).default(''),
})
export type TelegramUser = z.output<typeof telegramUser>

/** Login through providers, and binding accounts to them (docs/reference/accounts.md#login-providers). */
export const oauth = {
  state: call({
    method: 'GET',
    path: '/api/oauth/state',
    summary: 'Begins a login at a provider: a state that holds once, for ten minutes and for this browser.',
    access: 'visitor',
    hasEffect: true,
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'oauth',
    query: z.object({
      aff: queryText().describe('An invitation code, for who registers by it.'),
      invitation,
      redirect_uri: queryText().describe(
        'Where the provider will send the browser, below the address of the console. No other provider ends the login then.',
      ),
      pkce: queryFlag().describe('Whether the request will carry the challenge and the nonce.'),
    }),
    answer: z.string(),
    extras: z.object({ code_challenge: z.string().optional(), nonce: z.string().optional() }),
  }),
  github: call({
    method: 'GET',
    path: '/api/oauth/github',
    summary:
      'Logs in by GitHub with the response of the provider; binds the account if the caller is logged in ("bind").',
    access: 'visitor',
    isInPerson: true,
    limit: 'oauth',
    query: returned,
    answer: loginAnswer.nullable(),
  }),
  oidc: call({
    method: 'GET',
    path: '/api/oauth/oidc',
    summary:
      'Logs in by OpenID Connect with the response of the provider; binds the account if the caller is logged in ("bind").',
    access: 'visitor',
    isInPerson: true,
    limit: 'oauth',
    query: returned,
    answer: loginAnswer.nullable(),
  }),
  linuxdo: call({
    method: 'GET',
    path: '/api/oauth/linuxdo',
    summary:
      'Logs in by LINUX DO with the response of the provider; binds the account if the caller is logged in ("bind").',
    access: 'visitor',
    isInPerson: true,
    limit: 'oauth',
    query: returned,
    answer: loginAnswer.nullable(),
  }),
  wechat: call({
    method: 'GET',
    path: '/api/oauth/wechat',
    summary: 'Logs in by a code that WeChat has sent.',
    access: 'public',
    hasEffect: true,
    limit: 'oauth',
    query: z.object({ code, aff: queryText(), invitation }),
    answer: loginAnswer,
  }),
  bindWechat: call({
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    summary: 'Binds your account to WeChat by a code that it has sent.',
    access: 'user',
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'oauth',
    onDemo: 'closed',
    query: z.object({ code }),
    answer: z.null(),
  }),
  telegram: call({
    method: 'GET',
    path: '/api/oauth/telegram/login',
    summary: "Logs in with the data of Telegram's widget, if an account is bound to it.",
    access: 'public',
    hasEffect: true,
    limit: 'oauth',
    query: telegramUser,
    answer: loginAnswer,
  }),
  bindTelegram: call({
    method: 'GET',
    path: '/api/oauth/telegram/bind',
    summary: 'Binds your account to Telegram with the data of its widget.',
    access: 'user',
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'oauth',
    onDemo: 'closed',
    query: telegramUser,
    answer: z.null(),
  }),
  unbind: call({
    method: 'DELETE',
    path: '/api/user/self/binding/:provider',
    summary: 'Unbinds your account from a provider; the last way to log in stays.',
    access: 'user',
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'per-user',
    params: z.object({ provider: z.enum(providers) }),
    answer: z.null(),
  }),
}
