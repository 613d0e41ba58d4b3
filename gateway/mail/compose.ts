import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../shared/messages/format.ts'
import { languageTag } from '../../shared/messages/locales.ts'
import type { Mail } from './mailer.ts'

/**
 * Message keys of the subject and the body of a mail, and the values for both; `stressed` is a value that the reader
 * will type elsewhere, such as a code.
 */
export type MailText = Readonly<{ subject: MessageKey; body: MessageKey; params: MessageParams; stressed?: string }>

/**
 * Composes a mail in the reader's language as text and as HTML. Only the address `link` becomes a link, no other text
 * that a user may have chosen, and no value can become markup.
 */
export function composed(locale: Locale, { subject, body, params, stressed = '' }: MailText): Omit<Mail, 'to'> {
  const title = formatMessage(locale, subject, params)
  const text = formatMessage(locale, body, params)
  const html = page(languageTag(locale), title, stress(paragraphsOf(text, params), escaped(stressed)))
  return { subject: title, text, html }
}

/** Message keys of a mail to a reader whose language is unknown; each message of `body` is one or more paragraphs. */
type BilingualMail = Readonly<{ subject: MessageKey; body: readonly MessageKey[]; params: MessageParams }>

/** Composes a mail in English and then Chinese, with the same guarantees as `composed`. */
export function composedInBoth({ subject, body, params }: BilingualMail): Omit<Mail, 'to'> {
  const subjects = new Set(LOCALES.map((locale) => formatMessage(locale, subject, params)))
  const title = [...subjects].join(' / ')
  const texts = LOCALES.map((locale) => body.map((key) => formatMessage(locale, key, params)).join('\n\n'))
  const parts = LOCALES.map(
    (locale, index) => `<div lang="${languageTag(locale)}">${paragraphsOf(texts[index] ?? '', params)}</div>`,
  )
  return { subject: title, text: texts.join('\n\n'), html: page('en', title, parts.join(RULE)) }
}

const LOCALES: readonly Locale[] = ['en', 'zh']

const paragraphsOf = (text: string, { link }: MessageParams): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(paragraph, String(link ?? '')).replaceAll('\n', '<br>')}</p>`)
    .join('')

const LINE = '1px solid rgba(128,136,148,.4)'
const RULE = `<hr style="border:0;border-top:${LINE};margin:20px 0">`

/** Mail clients read only inline styles and apply their own light and dark themes, so the page sets no colours. */
const page = (language: string, title: string, body: string): string =>
  [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>',
    '<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere">',
    `<div style="max-width:528px;margin:0 auto;padding:8px 24px;border:${LINE};border-radius:8px">`,
    `<h1 style="margin:16px 0;font-size:18px;line-height:1.4">${escaped(title)}</h1>${body}</div></body></html>`,
  ].join('')

/** Enlarges one value of a text; text inside tags stays unchanged. */
function stress(html: string, value: string): string {
  if (value === '') return html
  const large = `<b style="font-size:24px;letter-spacing:2px;white-space:nowrap">${value}</b>`
  return html
    .split(/(<[^<>]*>)/)
    .map((part) => (part.startsWith('<') ? part : part.replaceAll(value, () => large)))
    .join('')
}

/** Escapes the text, and turns the address into a link if it is an http(s) URL. */
function linked(text: string, address: string): string {
  if (!/^https?:\/\//.test(address)) return escaped(text)
  const link = `<a href="${escaped(address)}">${escaped(address)}</a>`
  return text.split(address).map(escaped).join(link)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
