import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { type SendOptions, sendWhole } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { clearToasts } from '../../../components/toasts.ts'

/**
 * Makes one small call to a channel; without a model, the gateway uses the channel's test model or its first one.
 * Returns seconds.
 */
export async function testOnce(channel: ChannelView, model = '', manner: SendOptions = {}): Promise<number> {
  const { extras } = await sendWhole(calls.test, { params: { id: channel.id }, query: { model } }, manner)
  return extras.time
}

/** Tests a channel and returns the seconds it took; refreshes the channel list, also after a failure. */
export function useTest(): UseMutationResult<number, Error, ChannelView> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (channel) => testOnce(channel),
    onMutate: clearToasts,
    onSettled: () => queries.invalidateQueries({ queryKey: [areaOf(calls.list)] }),
  })
}
