import { useMutation } from '@tanstack/react-query'
import { channel as channelCalls } from '../../../../shared/api/channel.ts'
import { keptBodies as calls, type KeptCallView, type ReplayedCall } from '../../../../shared/api/kept-bodies.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { send } from '../../../api/client.ts'
import { useCall } from '../../../api/use-call.ts'

/** A displayed replay: its channel's name, and the result once known. */
export type ShownReplay = Readonly<{ channel: string; call: ReplayedCall | undefined }>

export type Choice = Readonly<{ id: number; name: string }>

/** The enabled channels that offer a call's model; undefined until known, empty if they could not be loaded. */
export function useReplayChannels({ model }: KeptCallView): readonly Choice[] | undefined {
  const query = { keyword: '', group: '', model, id_sort: true, tag_mode: false }
  const { data, isError } = useCall(channelCalls.search, { query })
  if (isError) return []
  return data
    ?.filter(({ status, models }) => status === channelStatus.enabled && offers(models, model))
    .map(({ id, name }) => ({ id, name: `#${id} ${name}` }))
}

/** Whether a comma-separated list contains the model, or a prefix pattern that matches it. */
const offers = (models: string, model: string): boolean =>
  models
    .split(',')
    .map((name) => name.trim())
    .some((name) => name === model || (name.endsWith('*') && model.startsWith(name.slice(0, -1))))

export function useReplay({ request_id }: KeptCallView, onReplay: (shown: ShownReplay | undefined) => void) {
  return useMutation({
    mutationFn: ({ id }: Choice) =>
      send(calls.replay, { params: { request_id }, body: { channel_id: id } }, { quiet: true }),
    onMutate: ({ name }) => onReplay({ channel: name, call: undefined }),
    onSuccess: (call, { name }) => onReplay({ channel: name, call }),
    onError: () => onReplay(undefined),
  })
}
