import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../shared/messages/format.ts'
import type { Mail } from './mailer.ts'

/** What a mail says: two messages, whose placeholders the same values fill. */
export type MailWords = Readonly<{ subject: MessageKey; body: MessageKey; params: MessageParams }>

/** A mail in the reader's language, as text and as HTML; addresses of the web in it are links. Nothing in a value becomes markup. */
export function composed(locale: Locale, { subject, body, params }: MailWords): Omit<Mail, 'to'> {
  const text = formatMessage(locale, body, params)
  return { subject: formatMessage(locale, subject, params), text, html: page(languageOf(locale), paragraphsOf(text)) }
}

/** What somebody is told whose language nobody knows: each message of `body` is a paragraph or several. */
export type WordsForAnybody = Readonly<{ subject: MessageKey; body: readonly MessageKey[]; params: MessageParams }>

/** A mail in both languages, English before Chinese, as text and as HTML; what holds of `composed` holds of it. */
export function composedInBoth({ subject, body, params }: WordsForAnybody): Omit<Mail, 'to'> {
  const subjects = new Set(LOCALES.map((locale) => formatMessage(locale, subject, params)))
  const texts = LOCALES.map((locale) => body.map((key) => formatMessage(locale, key, params)).join('\n\n'))
  const parts = LOCALES.map(
    (locale, place) => `<div lang="${languageOf(locale)}">${paragraphsOf(texts[place] ?? '')}</div>`,
  )
  return { subject: [...subjects].join(' / '), text: texts.join('\n\n'), html: page('en', parts.join('')) }
}

const LOCALES: readonly Locale[] = ['en', 'zh']
const languageOf = (locale: Locale): string => (locale === 'zh' ? 'zh-CN' : 'en')

const paragraphsOf = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

const page = (language: string, body: string): string =>
  [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>`,
    `<body style="font-family:system-ui,sans-serif;line-height:1.5">${body}</body></html>`,
  ].join('')

const WEB_ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?。，；：！？)）\]]/g

/** The text escaped, and its web addresses made links. */
function linked(text: string): string {
  let html = ''
  let from = 0
  for (const found of text.matchAll(WEB_ADDRESS)) {
    const [address] = found
    html += `${escaped(text.slice(from, found.index))}<a href="${escaped(address)}">${escaped(address)}</a>`
    from = found.index + address.length
  }
  return html + escaped(text.slice(from))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
