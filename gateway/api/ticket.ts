import { ticket } from '../../shared/api/ticket.ts'
import type { Tickets } from '../accounts/ticket.ts'
import { serve } from './serve.ts'
import { signedIn } from './user.ts'

/** Sign-in of the desktop's window by a one-time ticket, which only the shell can get. */
export const ticketApi = ({ tickets }: Readonly<{ tickets: Pick<Tickets, 'redeem'> }>) =>
  serve(ticket, {
    redeem: async ({ body, caller }) => {
      const user = await tickets.redeem({ secret: body.ticket, loopback: caller.loopback })
      await caller.signIn(user.id)
      return signedIn(user)
    },
  })
