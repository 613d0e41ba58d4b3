import { z } from 'zod'
import { call } from './call.ts'
import { signedInView } from './user.ts'

const secret = z.string().max(200).default('')
const owned = z.object({ id: secret, verifier: secret })

/**
 * Passes a login in the system's browser to the desktop window (docs/reference/accounts.md#hand-over-to-the-desktop).
 */
export const handover = {
  grant: call({
    method: 'POST',
    path: '/api/user/handover/grant',
    summary:
      'Lets the window of the desktop program log in to your account; the id is the one with which the program opened the browser.',
    access: 'user',
    isInPerson: true,
    onDemo: 'open',
    limit: 'per-user',
    body: z.object({ id: secret }),
    answer: z.null(),
  }),
  take: call({
    method: 'POST',
    path: '/api/user/handover',
    summary:
      'Logs in the window that started a hand-over once it is granted; null until then. The request must come from this machine.',
    access: 'public',
    onDemo: 'open',
    body: owned,
    answer: signedInView.nullable(),
  }),
  cancel: call({
    method: 'POST',
    path: '/api/user/handover/cancel',
    summary: 'Cancels a hand-over that is not granted yet.',
    access: 'public',
    onDemo: 'open',
    body: owned,
    answer: z.null(),
  }),
}
