import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { channel } from '../../../shared/api/channel.ts'
import { localModels as calls, type LocalFinding } from '../../../shared/api/local-models.ts'
import { areaOf, useSend } from '../../api/use-call.ts'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import { programLabel } from './program-label.ts'

export function useSearch() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const probe = useSend(calls.probe)
  const create = useSend(calls.add)
  const [findings, setFindings] = useState<readonly LocalFinding[]>([])
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>({})
  const [takes, setTakes] = useState(false)
  const merge = (fresh: readonly LocalFinding[]) =>
    setFindings((before) => {
      const byAddress = new Map([...before, ...fresh].map((one) => [one.address, one]))
      return [...byAddress.values()]
    })
  return {
    findings,
    takes,
    setTakes,
    isBusy: probe.isPending || create.isPending,
    isSearching: probe.isPending,
    /** Number of programs found so far. */
    found: findings.filter(({ state }) => state === 'found' || state === 'needs_key').length,
    search: () => probe.mutate({ body: {} }, { onSuccess: merge }),
    probeAddress(address: string, key: string, onAnswer?: () => void) {
      probe.mutate(
        { body: { targets: [{ address, key }] } },
        {
          onSuccess(fresh) {
            for (const one of fresh) setKeys((before) => ({ ...before, [one.address]: key }))
            merge(fresh)
            onAnswer?.()
          },
        },
      )
    },
    add(finding: LocalFinding) {
      const { address } = finding
      create.mutate(
        { body: { address, key: keys[address] ?? '', takes } },
        {
          onSuccess({ channel_id: id }) {
            const name = programLabel(finding)
            merge([{ ...finding, channel_id: id, channel_name: name }])
            void queries.invalidateQueries({ queryKey: [areaOf(channel.list)] })
            showSuccess(t('localModels.added', { name }))
          },
        },
      )
    },
  }
}
export type Search = ReturnType<typeof useSearch>
