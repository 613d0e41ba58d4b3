import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { verdictCodes } from '../../../../shared/api/verdict.ts'
import { CallFailure, failureTo } from '../../../api/call-failure.ts'
import { type SendOptions, sendWhole } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { clearToasts, showFailure } from '../../../components/toasts.ts'
import { translate } from '../../../translation.ts'

/**
 * Makes one small call to a channel; without a model, the gateway uses the channel's test model or its first one.
 * Returns the seconds that the call took.
 */
export async function testOnce(channel: ChannelView, model = '', manner: SendOptions = {}): Promise<number> {
  const { extras } = await sendWhole(calls.test, { params: { id: channel.id }, query: { model } }, manner)
  return extras.time
}

const advised = z.object({ code: z.enum(verdictCodes) })

/** Puts advice for the failure's code before the provider's message; returns a failure without a code unchanged. */
function withAdvice(failure: CallFailure): CallFailure {
  const { data } = advised.safeParse(failure.extras)
  if (!data) return failure
  return new CallFailure(failure.kind, failure.status, `${translate(`verdict.${data.code}`)} (${failure.message})`)
}

/** Tests a channel and returns the seconds it took; refreshes the channel list, even after a failure. */
export function useTest(): UseMutationResult<number, Error, ChannelView> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (channel) => testOnce(channel, '', { quiet: true }),
    onMutate: clearToasts,
    onError: (error, { name }) => {
      if (error instanceof CallFailure) showFailure(failureTo(name, withAdvice(error)))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [areaOf(calls.list)] }),
  })
}
