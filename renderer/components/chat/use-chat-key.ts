import { useQuery } from '@tanstack/react-query'
import { token } from '../../../shared/api/token.ts'
import { tokenStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { createSharedValue } from '../../api/shared-value.ts'
import { keyOf } from '../token-key.ts'

/** The token that chats are given: its name and its key. */
export type ChatKey = Readonly<{ id: number; name: string; key: string }>

/** The first of one's tokens that is enabled, of the newest hundred (docs/reference/screens.md#chat); null where none is. */
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
 * Whether a person has said that a place may have the key of a token, and how they say so. It holds until the console is loaded
 * again, for this account, token and place alone.
 */
export function useConsent(token: ChatKey, place: string): [boolean, () => void] {
  const user = useUser()
  const given = consents.use()
  const consent = `${user?.id} ${token.id} ${place}`
  return [given.has(consent), () => consents.set(new Set([...given, consent]))]
}

const consents = createSharedValue<ReadonlySet<string>>(new Set())
