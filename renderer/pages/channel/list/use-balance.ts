import { type Mutation, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

/** Whether the channel's vendor has a balance API. */
export const hasBalance = ({ type }: ChannelView): boolean => channelTypeById(type)?.balance != null

/** Refreshes a channel's balance, from the cell or the menu; the list is updated before success is reported. */
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

/** The state of the last balance refresh of a channel, wherever on the page it was started. */
export function useBalanceState(channel: ChannelView): Readonly<{ isRequesting: boolean; error: Error | null }> {
  const states = useMutationState({ filters: { mutationKey: keyOf(channel.id), exact: true }, select: stateOf })
  const last = states.at(-1)
  if (!last) return { isRequesting: false, error: null }
  // An error is outdated once another source, such as a run over all channels, has updated the balance.
  const isOutdated = channel.balance_updated_time * 1000 > last.submittedAt
  return { isRequesting: last.status === 'pending', error: isOutdated ? null : last.error }
}

const stateOf = ({ state }: Mutation) => state
const keyOf = (id: number) => ['balance', id] as const
