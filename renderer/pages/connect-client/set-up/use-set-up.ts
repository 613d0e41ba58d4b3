import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  ConnectApplied,
  ConnectPlan,
  ConnectProblem,
  ConnectUndone,
} from '../../../../shared/connect/connect-protocol.ts'
import type { ConnectRequest, DesktopConnect } from '../../../../shared/desktop.ts'

export type SetUpView =
  | Readonly<{ at: 'rest' }>
  | Readonly<{ at: 'plan'; plan: ConnectPlan; isMoved: boolean }>
  | Readonly<{ at: 'done'; applied: Extract<ConnectApplied, { done: true }> }>
  | Readonly<{ at: 'undone'; undone: ConnectUndone }>
  | Readonly<{ at: 'problem'; problem: ConnectProblem | null }>

/** Plans, writes and undoes the settings of one program on this computer, through the desktop program. */
export function useSetUp(connect: DesktopConnect, request: ConnectRequest) {
  const statuses = useQuery({ queryKey: ['desktop', 'connect'], queryFn: () => connect.status(), staleTime: 0 })
  const [view, setView] = useState<SetUpView>({ at: 'rest' })
  const [isBusy, setBusy] = useState(false)
  const doing = async (work: () => Promise<SetUpView>) => {
    setBusy(true)
    try {
      setView(await work())
    } catch {
      // The desktop program does not respond, or is of another version.
      setView({ at: 'problem', problem: null })
    } finally {
      setBusy(false)
      void statuses.refetch()
    }
  }
  const found = statuses.data?.[request.client]
  return {
    status: found && !('problem' in found) ? found : undefined,
    problem: found && 'problem' in found ? found : undefined,
    view,
    isBusy,
    rest: () => setView({ at: 'rest' }),
    plan: () =>
      void doing(async () => {
        const plan = await connect.plan(request)
        return plan && !('problem' in plan) ? { at: 'plan', plan, isMoved: false } : { at: 'problem', problem: plan }
      }),
    write: (seal: string) =>
      void doing(async () => {
        const applied = await connect.apply({ ...request, seal })
        if (!applied || 'problem' in applied) return { at: 'problem', problem: applied }
        return applied.done ? { at: 'done', applied } : { at: 'plan', plan: applied.plan, isMoved: true }
      }),
    undo: () =>
      void doing(async () => {
        const undone = await connect.undo(request.client)
        return undone && !('problem' in undone) ? { at: 'undone', undone } : { at: 'problem', problem: undone }
      }),
  }
}
