import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { log } from '../../../../shared/api/log.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { usePolled } from '../../../api/use-polled.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { useTry } from './use-try.ts'

/** Log rows before a time (unix seconds), counted up to the gateway's limit. */
export type Found = Readonly<{ before: number; total: number; isMore: boolean }>

export const countOf = ({ total, isMore }: Found): string => `${total.toLocaleString('en')}${isMore ? '+' : ''}`

const POLL_MS = 1000

/** The clean-up's progress, polled each second. */
export const useClearingProgress = () =>
  usePolled({
    queryKey: [areaOf(log.clearing), log.clearing.path],
    read: (manner) => send(log.clearing, { query: { target_timestamp: 0 } }, manner),
    everyMs: POLL_MS,
    gcTime: 0,
  })

/** A clean-up of the usage log: count, confirmation, then progress until it is done or stopped. */
export function useClearing() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { isBusy, result, run, report } = useTry()
  const [found, setFound] = useState<Found>()
  const [running, setRunning] = useState<Found>()
  const hangUp = useRef<AbortController>(null)

  const count = (before: number) => {
    clearToasts()
    return run(async () => {
      const { total, has_more: isMore } = await send(
        log.clearing,
        { query: { target_timestamp: before } },
        { quiet: true },
      )
      if (total === 0) return t('settings.logNone')
      setFound({ before, total, isMore })
      return ''
    })
  }
  const begin = async () => {
    if (!found) return
    const { before } = found
    const end = new AbortController()
    hangUp.current = end
    setFound(undefined)
    setRunning(found)
    report(undefined)
    try {
      const n = await send(log.clear, { query: { target_timestamp: before } }, { quiet: true, signal: end.signal })
      const text = t('log.cleaned', { n: n.toLocaleString('en') })
      report({ isFine: true, text })
      showSuccess(text)
    } catch (error) {
      if (end.signal.aborted) report({ isFine: true, text: t('settings.logStopped') })
      else if (error instanceof CallFailure) report({ isFine: false, text: error.message })
      else throw error
    } finally {
      setRunning(undefined)
      void queries.invalidateQueries({ queryKey: [areaOf(log.clear)] })
    }
  }
  return {
    found,
    running,
    isBusy: isBusy || running !== undefined,
    result: result?.text === '' ? undefined : result,
    count,
    begin,
    cancel: () => setFound(undefined),
    /** Aborting the request stops the clean-up in the gateway. */
    stop: () => hangUp.current?.abort(),
  }
}
