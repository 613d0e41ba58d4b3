import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { type Manner, sendWhole } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { clearToasts } from '../../../components/toasts.tsx'

/** A test of one channel; without a model the gateway takes the channel's test model or its first. */
export type TestAsk = Readonly<{ channel: ChannelView; model?: string; signal?: AbortSignal }>

/** Tests a channel with one small call and answers the seconds it took; the list follows also after a failure. */
export function useTest({ quiet = false }: Manner = {}): UseMutationResult<number, Error, TestAsk> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ channel, model = '', signal }: TestAsk) => {
      const ask = { params: { id: channel.id }, query: { model } }
      const { beside } = await sendWhole(calls.test, ask, { quiet, ...(signal ? { signal } : {}) })
      return beside.time
    },
    onMutate: clearToasts,
    onSettled: () => queries.invalidateQueries({ queryKey: [areaOf(calls.list)] }),
  })
}
