import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type TokenView, token } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'
import { useCall, useSend } from '../../api/use-call.ts'

/** Identifies the token for the first client. */
const firstName = 'first client'

const listed = { p: 0, size: 100 }

/**
 * The token in the examples: the chosen one, else the one for the first client, which is created without expiry or
 * limit if an enabled one does not exist yet, and only once `isWanted`. `add` creates another one for a further
 * program.
 */
export function useTokens(isWanted: boolean) {
  const { default_use_auto_group: isAutoGroup } = useStatus()
  const queries = useQueryClient()
  const [chosen, choose] = useState<number>()
  const { mutate, isPending: isAdding } = useSend(token.create)
  const body = (name: string) => ({ name, unlimited_quota: true, group: isAutoGroup ? 'auto' : '' })
  const first = useQuery({
    queryKey: ['first-client'],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const found = await send(token.search, { query: { keyword: firstName, token: '' } }, { quiet: true, signal })
      const known = found.find((one) => one.name === firstName && isEnabled(one))
      return known ?? send(token.create, { body: body(firstName) }, { quiet: true })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const list = useCall(token.list, { query: listed }, { quiet: true })
  const others = (list.data ?? []).filter((one) => isEnabled(one) && one.id !== first.data?.id)
  const all = first.data ? [first.data, ...others] : []
  return {
    first,
    all,
    token: all.find(({ id }) => id === chosen) ?? first.data,
    hasChosen: chosen !== undefined,
    isAdding,
    choose,
    add: () =>
      mutate(
        { body: body(`client ${all.length + 1}`) },
        {
          onSuccess: (made) => {
            queries.setQueryData<TokenView[]>(['token', token.list.path, { query: listed }], (old) => [
              made,
              ...(old ?? []),
            ])
            choose(made.id)
          },
        },
      ),
  }
}

export type Tokens = ReturnType<typeof useTokens>

const isEnabled = ({ status }: TokenView): boolean => status === tokenStatus.enabled
