import { ticket as tickets } from '../../shared/api/ticket.ts'
import type { Desktop } from '../../shared/desktop.ts'
import { CallFailure } from './call-failure.ts'
import { send } from './client.ts'
import { currentUserId, rememberUser } from './session.ts'

declare global {
  interface Window {
    /** There only in the window of the desktop program. */
    readonly desktop?: Desktop
  }
}

/** Whether the console runs in the window of the desktop program. */
export const isDesktop = (): boolean => window.desktop !== undefined

/**
 * In the desktop's window and in self-use mode, signs the owner of the program in without a password, once for each load
 * of the page. Whoever has signed in by another name stays; without a ticket the login page is what it always is.
 */
export const enterFromDesktop = (): Promise<void> => {
  entering ??= enter()
  return entering
}

let entering: Promise<void> | undefined

async function enter(): Promise<void> {
  const ticket = await window.desktop?.ticket()
  if (!ticket || ![ticket.userId, nobody].includes(currentUserId())) return
  try {
    rememberUser(await send(tickets.redeem, { body: { ticket: ticket.secret } }, { quiet: true }))
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
  }
}

/** What `currentUserId` answers when nobody is signed in. */
const nobody = -1
