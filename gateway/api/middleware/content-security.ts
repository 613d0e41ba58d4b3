import type { OptionKey } from '../../../shared/options/index.ts'
import type { Settings } from '../../settings/settings.ts'

/** Services whose script or frame a page needs while their option is on. */
const services = [
  { flag: 'TelegramOAuthEnabled', script: 'https://telegram.org', frame: 'https://oauth.telegram.org' },
] as const

const sources = ['Chats', 'HomePageContent', 'About', 'PayAddress'] as const

/**
 * The headers of the console's pages (docs/reference/security.md#page-headers), rebuilt only when a setting they depend
 * on changes. Calls stay on this origin; only the console itself, chat presets, pages chosen by an operator and the
 * frames of `services` may be framed.
 */
export function pageHeaders(settings: Pick<Settings, 'get' | 'derive'>): () => Readonly<Record<string, string>> {
  const keys: OptionKey[] = [...sources, 'ChatDevicesEnabled', ...services.map(({ flag }) => flag)]
  return settings.derive(keys, () => ({
    'Content-Security-Policy': policy(settings),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    // Telegram's frame opens a window that communicates with it.
    'Cross-Origin-Opener-Policy': settings.get('TelegramOAuthEnabled') ? 'same-origin-allow-popups' : 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': devices(settings),
  }))
}

/** The console's page that shows only the widget of the human check. */
export const HUMAN_CHECK_PAGE = '/human-check.html'

/**
 * The headers of `HUMAN_CHECK_PAGE`. Only this page may load Cloudflare's script, and only the console may frame it;
 * the policies of all other pages do not mention Cloudflare.
 */
export const humanCheckHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self' https://challenges.cloudflare.com/turnstile/",
    'frame-src https://challenges.cloudflare.com',
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/**
 * The headers of scripts and styles: document policies do not apply to them and, since a page loads many, would delay
 * each on a slow connection.
 */
export const partHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * Only hosts of chats may use microphone and camera, if the operator allows it: a page can only delegate its own
 * permissions, so the console is listed too.
 */
function devices(settings: Pick<Settings, 'get'>): string {
  const hosts = settings.get('ChatDevicesEnabled') ? [...new Set(chatOrigins(settings))] : []
  const list = hosts.length === 0 ? '()' : `(self ${hosts.map((origin) => JSON.stringify(origin)).join(' ')})`
  return `camera=${list}, geolocation=(), microphone=${list}, payment=(), usb=()`
}

const chatOrigins = (settings: Pick<Settings, 'get'>): string[] =>
  originsOf(settings.get('Chats').flatMap((chat) => Object.values(chat)))

function policy(settings: Pick<Settings, 'get'>): string {
  const active = services.filter(({ flag }) => settings.get(flag))
  const frames = [...chatOrigins(settings), ...originsOf([settings.get('HomePageContent'), settings.get('About')])]
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

const originsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const address = text.trim()
    if (!/^https?:\/\/\S+$/.test(address) || !URL.canParse(address)) return []
    const { origin } = new URL(address)
    return /^https?:\/\/[\w.[\]:-]+$/.test(origin) ? [origin] : []
  })
