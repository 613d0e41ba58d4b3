import { useEffect } from 'react'
import * as z from 'zod/mini'
import { channel as calls } from '../../../../shared/api/channel.ts'
import { model as modelCalls } from '../../../../shared/api/model.ts'
import { useStored } from '../../../api/stored.ts'
import { useCall } from '../../../api/use-call.ts'

export type KnownModels = Readonly<{
  all: readonly string[]
  usual: (type: number) => readonly string[]
  error: Error | null
  retry: () => void
}>

/**
 * Loads the available models; the usual ones are stored in the browser as `channel_models`
 * (docs/reference/screens.md#local-storage).
 */
export function useKnownModels(): KnownModels {
  const { data: listed = [], error, isLoadingError, refetch } = useCall(calls.models, {}, { quiet: true })
  const { data: fresh } = useCall(modelCalls.byChannelType, {}, { quiet: true })
  const [stored, store] = useStored('channel_models', modelsByType)
  useEffect(() => {
    if (fresh) store(fresh)
  }, [fresh, store])
  const byType = fresh ?? stored ?? {}
  return {
    all: listed.map(({ id }) => id),
    usual: (type) => byType[String(type)] ?? [],
    error: isLoadingError ? error : null,
    retry: () => void refetch(),
  }
}

const modelsByType = z.record(z.string(), z.array(z.string()))
