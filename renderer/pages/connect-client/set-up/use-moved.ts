import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectClient } from '../../../../shared/connect/clients.ts'
import type { ConnectPlan, ConnectProblem } from '../../../../shared/connect/connect-protocol.ts'
import type { DesktopConnect } from '../../../../shared/desktop.ts'
import { useTranslation } from '../../../translation.ts'

type Planned = Readonly<{ client: string; plan: ConnectPlan }>
type MoveOutcome = Readonly<{ text: string; isGood: boolean }>

const nameOf = (id: string): string => connectClient(id)?.name ?? id

export function useMoved(connect: DesktopConnect) {
  const { t } = useTranslation()
  const statuses = useQuery({ queryKey: ['desktop', 'connect'], queryFn: () => connect.status(), staleTime: 0 })
  const [plans, setPlans] = useState<readonly Planned[]>([])
  const [outcome, setOutcome] = useState<readonly MoveOutcome[]>([])
  const [isBusy, setBusy] = useState(false)
  const programs = Object.entries(statuses.data ?? {}).flatMap(([id, status]) =>
    'problem' in status || !status.isMoved ? [] : [{ id, name: nameOf(id), address: status.address }],
  )
  const problem = (client: string, found: ConnectProblem | null): MoveOutcome => ({
    text: found
      ? t(`setUp.${found.problem}`, { path: found.path, detail: found.detail })
      : `${nameOf(client)}: ${t('setUp.noAnswer')}`,
    isGood: false,
  })
  const doing = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch {
      // The desktop program does not respond.
      setOutcome([{ text: t('setUp.noAnswer'), isGood: false }])
    } finally {
      setBusy(false)
      void statuses.refetch()
    }
  }
  const plan = async () => {
    const planned: Planned[] = []
    const outcomes: MoveOutcome[] = []
    for (const { id, name } of programs) {
      const found = await connect.planMove(id)
      if (!found || 'problem' in found) outcomes.push(problem(id, found))
      else if (found.files.length === 0) outcomes.push({ text: t('moved.theirs', { program: name }), isGood: false })
      else planned.push({ client: id, plan: found })
    }
    setPlans(planned)
    setOutcome(outcomes)
  }
  const move = async () => {
    const again: Planned[] = []
    const outcomes: MoveOutcome[] = []
    for (const { client, plan: shown } of plans) {
      const moved = await connect.move({ client, seal: shown.seal })
      if (!moved || 'problem' in moved) outcomes.push(problem(client, moved))
      else if (moved.done) outcomes.push({ text: t('moved.done', { program: nameOf(client) }), isGood: true })
      else again.push({ client, plan: moved.plan })
    }
    if (again.length > 0) outcomes.push({ text: t('setUp.moved'), isGood: false })
    setPlans(again)
    setOutcome(outcomes)
  }
  const rest = () => {
    setPlans([])
    setOutcome([])
  }
  return { programs, plans, outcome, isBusy, plan: () => void doing(plan), move: () => void doing(move), rest }
}
