import { z } from 'zod'
import { call } from './call.ts'
import { signedInView } from './user.ts'

/** Passwordless login of the desktop window in self-use mode (docs/reference/accounts.md#desktop-ticket). */
export const ticket = {
  redeem: call({
    method: 'POST',
    path: '/api/user/ticket',
    summary:
      'Exchanges a one-time ticket of the desktop program for a session; the request must come from this machine.',
    access: 'public',
    onDemo: 'open',
    body: z.object({ ticket: z.string().max(200).default('') }),
    answer: signedInView,
  }),
}
