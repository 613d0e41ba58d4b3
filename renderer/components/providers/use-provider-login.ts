import { useMutation } from '@tanstack/react-query'
import type { ApiAnswer, CallInput } from '../../../shared/api/call.ts'
import { oauth } from '../../../shared/api/oauth.ts'
import { type SendOptions, send } from '../../api/client.ts'
import { clearToasts } from '../toasts.ts'

type Login = typeof oauth.wechat | typeof oauth.telegram

/** Logs in by WeChat or Telegram: begun first, for the mark of this browser (docs/reference/accounts.md#sign-in-by-others). */
export function useProviderLogin<C extends Login>(login: C, manner: SendOptions = {}) {
  return useMutation<ApiAnswer<C>, Error, CallInput<C>>({
    mutationFn: async (ask) => {
      await send(oauth.state, { query: { aff: '', invitation: '', redirect_uri: '', pkce: false } }, manner)
      return send(login, ask, manner)
    },
    onMutate: clearToasts,
  })
}
