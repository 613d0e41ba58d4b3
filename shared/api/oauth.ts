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
const invitation = queryText().describe('An invitation code, for a registration.')

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
    summary: 'Starts a login at a provider: returns a state that is valid once, for ten minutes, in this browser.',
    access: 'visitor',
    hasEffect: true,
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'oauth',
    query: z.object({
      aff: queryText().describe('An invitation code, for a registration.'),
      invitation,
      redirect_uri: queryText().describe(
        "The path below the console's address to which the provider will return the browser. The login can then only be completed there.",
      ),
      pkce: queryFlag().describe('Whether the request to the provider will contain the challenge and the nonce.'),
    }),
    answer: z.string(),
    extras: z.object({ code_challenge: z.string().optional(), nonce: z.string().optional() }),
  }),
  github: call({
    method: 'GET',
    path: '/api/oauth/github',
    summary: "Logs in with GitHub's response; if the caller is logged in, binds the account instead (message `bind`).",
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
      "Logs in with an OpenID Connect provider's response; if the caller is logged in, binds the account instead (message `bind`).",
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
      "Logs in with LINUX DO's response; if the caller is logged in, binds the account instead (message `bind`).",
    access: 'visitor',
    isInPerson: true,
    limit: 'oauth',
    query: returned,
    answer: loginAnswer.nullable(),
  }),
  wechat: call({
    method: 'GET',
    path: '/api/oauth/wechat',
    summary: 'Logs in with a code that WeChat sent.',
    access: 'public',
    hasEffect: true,
    limit: 'oauth',
    query: z.object({ code, aff: queryText(), invitation }),
    answer: loginAnswer,
  }),
  bindWechat: call({
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    summary: 'Binds your account to WeChat with a code that it sent.',
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
    summary: 'Unbinds your account from a provider; refused for the last login method.',
    access: 'user',
    isInPerson: true,
    needsRecentLogin: true,
    limit: 'per-user',
    params: z.object({ provider: z.enum(providers) }),
    answer: z.null(),
  }),
}
