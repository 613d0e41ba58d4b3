import type { OptionKey } from '../../../shared/options/index.ts'
import type { Settings } from '../../settings/settings.ts'

/** Services whose script or frame a page needs while their switch is on. */
const services = [
  {
    flag: 'TurnstileCheckEnabled',
    script: 'https://challenges.cloudflare.com',
    frame: 'https://challenges.cloudflare.com',
  },
  { flag: 'TelegramOAuthEnabled', script: 'https://telegram.org', frame: 'https://oauth.telegram.org' },
] as const

const sources = ['Chats', 'HomePageContent', 'About', 'PayAddress'] as const

/**
 * The headers of the console's pages (docs/reference/security.md#headers-of-pages), built again only when a setting
 * they depend on changes. Calls stay on this origin; only chat presets and pages an operator has chosen may be framed.
 */
export function pageHeaders(settings: Pick<Settings, 'get' | 'derive'>): () => Readonly<Record<string, string>> {
  const keys: OptionKey[] = [...sources, ...services.map(({ flag }) => flag)]
  return settings.derive(keys, () => ({
    'Content-Security-Policy': policy(settings),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }))
}

function policy(settings: Pick<Settings, 'get'>): string {
  const active = services.filter(({ flag }) => settings.get(flag))
  const chats = settings.get('Chats').flatMap((chat) => Object.values(chat))
  const frames = originsOf([...chats, settings.get('HomePageContent'), settings.get('About')])
  return [
    "default-src 'none'",
    list('script-src', [...active.map(({ script }) => script)]),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "media-src 'self' data: https:",
    list('frame-src', [...frames, ...active.map(({ frame }) => frame)]),
    "object-src 'none'",
    "base-uri 'none'",
    list('form-action', originsOf([settings.get('PayAddress')])),
    "frame-ancestors 'none'",
  ].join('; ')
}

const list = (directive: string, origins: readonly string[]): string =>
  [directive, "'self'", ...new Set(origins)].join(' ')

/** The origins of those texts that are web addresses. */
const originsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const address = text.trim()
    if (!/^https?:\/\/\S+$/.test(address) || !URL.canParse(address)) return []
    const { origin } = new URL(address)
    return /^https?:\/\/[\w.[\]:-]+$/.test(origin) ? [origin] : []
  })
