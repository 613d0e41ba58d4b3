import * as z from 'zod/mini'
import type { TelegramUser } from '../../../shared/api/oauth.ts'

/**
 * Receives the response of Telegram's widget. Its `data-onauth` is code to be evaluated, which the console's policy
 * forbids (docs/reference/security.md#page-headers), so `data-auth-url` is this page with a random mark as its
 * fragment. The widget navigates there, with the fields after the mark. No link can guess the mark, and none of this
 * stays in the history.
 */
export function hearTelegram(onUser: (user: TelegramUser) => void): Readonly<{ mark: string; stop: () => void }> {
  dropLinkedAnswer()
  const mark = Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join('')
  let answered: TelegramUser | undefined
  const receive = (event: PopStateEvent) => {
    if (answered) {
      event.stopImmediatePropagation()
      onUser(answered)
      answered = undefined
      return
    }
    const user = location.hash.startsWith(`#${mark}`) && userIn(location.hash.slice(mark.length + 2))
    if (!user) return
    // Hides the navigation to the mark and back from the router.
    event.stopImmediatePropagation()
    history.replaceState(null, '', location.pathname + location.search)
    answered = user
    history.back()
  }
  window.addEventListener('popstate', receive, { capture: true })
  return { mark, stop: () => window.removeEventListener('popstate', receive, { capture: true }) }
}

/** The widget also accepts a response from the page's address, but a link may contain another user's. */
function dropLinkedAnswer(): void {
  if (location.hash.includes('tgAuthResult='))
    history.replaceState(history.state, '', location.pathname + location.search)
}

const userIn = (fields: string): TelegramUser | undefined =>
  telegramUser.safeParse(Object.fromEntries(new URLSearchParams(fields))).data

/** The signed fields (shared/api/oauth.ts). */
const telegramUser = z.object({
  id: z.string(),
  first_name: z.optional(z.string()),
  last_name: z.optional(z.string()),
  username: z.optional(z.string()),
  photo_url: z.optional(z.string()),
  auth_date: z.string(),
  hash: z.string(),
})
