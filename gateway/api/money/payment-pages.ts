import { hash } from 'node:crypto'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { languageTag } from '../../../shared/messages/locales.ts'
import type { PaymentForm } from '../../wallet/epay.ts'

/** Submits the page's form; without scripts, its button does. */
const script = 'document.forms[0].submit()'

/**
 * The headers of the payment pages. A merchant may redirect from the address that the form is posted to, so any web
 * address is an allowed target. This is safe because the form is the gateway's own and only its single script runs
 * (docs/reference/security.md#page-headers).
 */
export const paymentHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src 'sha256-${hash('sha256', script, 'base64')}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self'",
    "base-uri 'none'",
    'form-action http: https:',
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Merchants check the referring site, and need not know the page.
  'Referrer-Policy': 'origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** A page that submits itself to the merchant: a form works in any browser, without a login. */
export function formPage(locale: Locale, name: string, { url, fields }: PaymentForm): string {
  const inputs = Object.entries(fields).map(
    ([field, value]) => `<input type="hidden" name="${escaped(field)}" value="${escaped(value)}" />`,
  )
  return page(
    locale,
    name,
    `<p>${escaped(formatMessage(locale, 'pay.page_leave'))}</p>
      <form method="post" action="${escaped(url)}">
        ${inputs.join('\n        ')}
        <button type="submit">${escaped(formatMessage(locale, 'pay.page_go'))}</button>
      </form>
      <script>${script}</script>`,
  )
}

export const statePage = (locale: Locale, name: string, text: string): string =>
  page(locale, name, `<p role="status">${escaped(text)}</p>`)

const page = (locale: Locale, name: string, content: string): string => `<!doctype html>
<html lang="${languageTag(locale)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(formatMessage(locale, 'pay.page_title'))} · ${escaped(name)}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>${escaped(name)}</h1>
      ${content}
    </main>
  </body>
</html>
`

const style = `
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
      main { margin: 20vh auto 0; max-width: 28rem; padding: 0 1.5rem; text-align: center; }
      h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
      button { font: inherit; min-height: 40px; padding: 0.25rem 1.25rem; }
    `

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
