import { ticket } from '../../../shared/api/ticket.ts'
import type { LoginGate } from '../../accounts/login/login-gate.ts'
import type { Tickets } from '../../accounts/login/ticket.ts'
import { serve } from '../serve.ts'
import { signedIn } from './complete-login.ts'

type TicketApiDeps = Readonly<{ tickets: Pick<Tickets, 'redeem'>; loginGate: Pick<LoginGate, 'note'> }>

/** Login of the desktop's window with a one-time ticket, which only the desktop program can get. */
export const ticketApi = ({ tickets, loginGate }: TicketApiDeps) =>
  serve(ticket, {
    redeem: async ({ body, caller }) => {
      const user = await tickets.redeem({ secret: body.ticket, loopback: caller.loopback })
      await caller.signIn(user, { isDesktop: true })
      await loginGate.note(user.id, 'desktop', true, caller)
      return signedIn(user)
    },
  })
