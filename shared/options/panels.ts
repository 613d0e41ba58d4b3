/** The tabs of /setting in order (docs/reference/options.md#areas). */
export const tabs = ['operation', 'ratelimit', 'models', 'system', 'other'] as const

export type TabName = (typeof tabs)[number]

/** The panels with options, named tab/panel, in their order on screen (docs/reference/options.md#areas). */
export const panels = [
  'operation/general',
  'operation/drawing',
  'operation/sensitive',
  'operation/log',
  'operation/bodies',
  'operation/dashboard',
  'operation/monitoring',
  'operation/quota',
  'operation/chats',
  'operation/groups',
  'operation/ratios',
  'ratelimit/requests',
  'models/gemini',
  'models/claude',
  'models/global',
  'models/cache',
  'system/general',
  'system/worker',
  'system/payment',
  'system/login',
  'system/whitelist',
  'system/smtp',
  'system/oidc',
  'system/github',
  'system/linuxdo',
  'system/wechat',
  'system/telegram',
  'system/turnstile',
  'other/system',
  'other/notice',
  'other/personalization',
] as const

export type PanelName = (typeof panels)[number]
