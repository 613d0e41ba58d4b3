import { type Mutation, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

/** Whether the vendor of a channel tells what is left. */
export const hasBalance = ({ type }: ChannelView): boolean => channelTypeById(type)?.balance != null

/** Asks the vendor what is left, from the cell or from the menu; the list shows the answer before it is said to be done. */
export function useBalanceUpdate({ id, name }: ChannelView): () => void {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: keyOf(id),
    mutationFn: () => send(calls.balance, { params: { id } }, { quiet: true }),
    onMutate: clearToasts,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [areaOf(calls.list)] })
      showSuccess(t('channel.balanceOk', { name }))
    },
  })
  return mutate
}

/** How the last question about a channel's balance goes or went, wherever on the page it was asked. */
export function useBalanceState(channel: ChannelView): Readonly<{ isAsking: boolean; error: Error | null }> {
  const asked = useMutationState({ filters: { mutationKey: keyOf(channel.id), exact: true }, select: stateOf })
  const last = asked.at(-1)
  if (!last) return { isAsking: false, error: null }
  // What went wrong is of no interest once another way, such as a run over all, has brought an answer.
  const isOutdated = channel.balance_updated_time * 1000 > last.submittedAt
  return { isAsking: last.status === 'pending', error: isOutdated ? null : last.error }
}

const stateOf = ({ state }: Mutation) => state
const keyOf = (id: number) => ['balance', id] as const
