import { handover } from '../../shared/api/handover.ts'
import type { Entrance } from '../accounts/entrance.ts'
import type { Handovers } from '../accounts/handover.ts'
import { signedIn } from './let-in.ts'
import { serve } from './serve.ts'

export type HandoverApiDeps = Readonly<{
  handovers: Pick<Handovers, 'grant' | 'take' | 'cancel'>
  entrance: Pick<Entrance, 'note'>
}>

/** Login of the desktop's window by somebody who has logged in with the system's browser. */
export const handoverApi = ({ handovers, entrance }: HandoverApiDeps) =>
  serve(handover, {
    grant: async ({ body, actor }) => {
      await handovers.grant(body.id, actor.id)
      return null
    },
    take: async ({ body, caller }) => {
      const user = await handovers.take({ ...body, loopback: caller.loopback })
      if (!user) return null
      await caller.signIn(user)
      await entrance.note(user.id, 'browser', true, caller)
      return signedIn(user)
    },
    cancel: ({ body, caller }) => {
      handovers.cancel({ ...body, loopback: caller.loopback })
      return null
    },
  })
