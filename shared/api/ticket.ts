import { z } from 'zod'
import { call } from './call.ts'
import { signedInView } from './user.ts'

/** How the desktop's own window signs in without a password in self-use mode (design/product.md, "The first five minutes"). */
export const ticket = {
  /** Turns a ticket of the desktop into a session; the call must come from this machine. */
  redeem: call({
    method: 'POST',
    path: '/api/user/ticket',
    access: 'public',
    body: z.object({ ticket: z.string().max(200).default('') }),
    answer: signedInView,
  }),
}
