import { ticket as tickets } from '../../shared/api/ticket.ts'
import type { Desktop } from '../../shared/desktop.ts'
import { CallFailure } from './call-failure.ts'
import { send } from './client.ts'
import { currentUserId, rememberUser } from './session.ts'

declare global {
  interface Window {
    readonly desktop?: Desktop
  }
}

export const isDesktop = (): boolean => window.desktop !== undefined

/**
 * In the desktop window and in self-use mode, signs the owner in without a password, once per page load. A user who
 * is signed in under another name stays signed in; without a ticket, the login page is shown as usual.
 */
export const enterFromDesktop = (): Promise<void> => {
  entering ??= enter()
  return entering
}

let entering: Promise<void> | undefined

async function enter(): Promise<void> {
  const ticket = await window.desktop?.ticket()
  if (!ticket || ![ticket.userId, SIGNED_OUT].includes(currentUserId())) return
  try {
    rememberUser(await send(tickets.redeem, { body: { ticket: ticket.secret } }, { quiet: true }))
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
  }
}

/** The `currentUserId` of a signed-out user. */
const SIGNED_OUT = -1
