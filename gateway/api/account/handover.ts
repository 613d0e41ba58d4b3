import { handover } from '../../../shared/api/handover.ts'
import type { Handovers } from '../../accounts/login/handover.ts'
import type { LoginGate } from '../../accounts/login/login-gate.ts'
import { serve } from '../serve.ts'
import { signedIn } from './complete-login.ts'

type HandoverApiDeps = Readonly<{
  handovers: Pick<Handovers, 'grant' | 'take' | 'cancel'>
  loginGate: Pick<LoginGate, 'note'>
}>

/** Login of the desktop's window through the system's browser. */
export const handoverApi = ({ handovers, loginGate }: HandoverApiDeps) =>
  serve(handover, {
    grant: async ({ body, actor }) => {
      await handovers.grant(body.id, actor)
      return null
    },
    take: async ({ body, caller }) => {
      const granted = await handovers.take({ ...body, loopback: caller.loopback })
      if (!granted) return null
      const { user, signedInAt } = granted
      await caller.signIn(user, { signedInAt })
      await loginGate.note(user.id, 'browser', true, caller)
      return signedIn(user)
    },
    cancel: ({ body, caller }) => {
      handovers.cancel({ ...body, loopback: caller.loopback })
      return null
    },
  })
