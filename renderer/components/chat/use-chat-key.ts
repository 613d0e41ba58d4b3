import { useQuery } from '@tanstack/react-query'
import { token } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { createSharedValue } from '../../api/shared-value.ts'
import { keyOf } from '../token-key.ts'

export type ChatKey = Readonly<{ id: number; name: string; key: string }>

/** The user's first enabled token among the newest hundred (docs/reference/screens.md#chat); null if there is none. */
export const useChatKey = () =>
  useQuery({
    queryKey: ['token', 'chat'],
    queryFn: async ({ signal }): Promise<ChatKey | null> => {
      const tokens = await send(token.list, { query: { p: 0, size: 100 } }, { quiet: true, signal })
      const first = tokens.find(({ status }) => status === tokenStatus.enabled)
      return first ? { id: first.id, name: first.name, key: keyOf(first) } : null
    },
  })

/**
 * Whether the user has agreed that a site may have a token's key, and a function that records it. Valid until the
 * console reloads, only for this account, token and site.
 */
export function useConsent(token: ChatKey, site: string): [boolean, () => void] {
  const user = useUser()
  const given = consents.use()
  const consent = `${user?.id} ${token.id} ${site}`
  return [given.has(consent), () => consents.set(new Set([...given, consent]))]
}

const consents = createSharedValue<ReadonlySet<string>>(new Set())
