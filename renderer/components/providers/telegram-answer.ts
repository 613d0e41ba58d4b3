import * as z from 'zod/mini'
import type { TelegramUser } from '../../../shared/api/oauth.ts'

/**
 * Hears what Telegram's widget answers with. Its `data-onauth` is a text that it evaluates, which the console's policy forbids
 * (docs/reference/security.md#headers-of-pages), so it is given a `data-auth-url` of this very page: `#` and the mark. It goes
 * there with the fields behind the mark, which nobody else knows and no link can bring; the history keeps nothing of it.
 */
export function hearTelegram(onUser: (user: TelegramUser) => void): Readonly<{ mark: string; stop: () => void }> {
  dropLinkedAnswer()
  const mark = Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join('')
  let answered: TelegramUser | undefined
  const hear = (event: PopStateEvent) => {
    if (answered) {
      event.stopImmediatePropagation()
      onUser(answered)
      answered = undefined
      return
    }
    const user = location.hash.startsWith(`#${mark}`) && userIn(location.hash.slice(mark.length + 2))
    if (!user) return
    // The router hears neither of the step to the mark nor of the step back, to the entry that it knows.
    event.stopImmediatePropagation()
    history.replaceState(null, '', location.pathname + location.search)
    answered = user
    history.back()
  }
  window.addEventListener('popstate', hear, { capture: true })
  return { mark, stop: () => window.removeEventListener('popstate', hear, { capture: true }) }
}

/** The widget takes an answer from the address, too, but what a link brings may be somebody else's. */
function dropLinkedAnswer(): void {
  if (location.hash.includes('tgAuthResult='))
    history.replaceState(history.state, '', location.pathname + location.search)
}

const userIn = (fields: string): TelegramUser | undefined =>
  telegramUser.safeParse(Object.fromEntries(new URLSearchParams(fields))).data

/** What is signed (shared/api/oauth.ts). */
const telegramUser = z.object({
  id: z.string(),
  first_name: z.optional(z.string()),
  last_name: z.optional(z.string()),
  username: z.optional(z.string()),
  photo_url: z.optional(z.string()),
  auth_date: z.string(),
  hash: z.string(),
})
