import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type TokenView, token } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'

/** Under this name the token for the first client is found again. */
const tokenName = 'first client'

/**
 * The token for the first client: the one there is, as long as it is enabled, else a new one without an end or a limit.
 * Nothing is made before it `isWanted`.
 */
export function useFirstToken(isWanted: boolean): UseQueryResult<TokenView> {
  const { default_use_auto_group: isAutoGroup } = useStatus()
  return useQuery({
    queryKey: ['token', 'first-client'],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const found = await send(token.search, { query: { keyword: tokenName, token: '' } }, { quiet: true, signal })
      const known = found.find(({ name, status }) => name === tokenName && status === tokenStatus.enabled)
      const group = isAutoGroup ? 'auto' : ''
      return known ?? send(token.create, { body: { name: tokenName, unlimited_quota: true, group } }, { quiet: true })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
