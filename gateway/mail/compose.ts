import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../shared/messages/format.ts'
import type { Mail } from './mailer.ts'

/** What a mail says: two messages, whose placeholders the same values fill. */
export type MailWords = Readonly<{ subject: MessageKey; body: MessageKey; params: MessageParams }>

/** A mail in the reader's language, as text and as HTML; addresses of the web in it are links. Nothing in a value becomes markup. */
export function composed(locale: Locale, { subject, body, params }: MailWords): Omit<Mail, 'to'> {
  const text = formatMessage(locale, body, params)
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${linked(paragraph).replaceAll('\n', '<br>')}</p>`)
  const language = locale === 'zh' ? 'zh-CN' : 'en'
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>`,
    `<body style="font-family:system-ui,sans-serif;line-height:1.5">${paragraphs.join('')}</body></html>`,
  ].join('')
  return { subject: formatMessage(locale, subject, params), text, html }
}

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
