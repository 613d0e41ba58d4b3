import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { useSend } from '../../../api/use-call.ts'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import type { Draft } from './draft.ts'
import { changesOf, fieldsOf, keyCount } from './fields-of.ts'

/** Saves a draft; `isMended` sends the corrected address. */
type Saving = Readonly<{ save: (draft: Draft, isMended: boolean) => void; isBusy: boolean }>

/**
 * Creates the channel, or sends what differs from the initial draft; then closes and reports it. On a refusal the
 * drawer stays open with the input.
 */
export function useSave(channel: ChannelView | undefined, initial: Draft, onClose: () => void): Saving {
  const { t } = useTranslation()
  const creation = useSend(calls.create)
  const update = useSend(calls.update)
  const finish = (message: string) => () => {
    onClose()
    showSuccess(message)
  }
  const save = (draft: Draft, isMended: boolean) => {
    if (channel) {
      const body = { ...changesOf(draft, initial, isMended), id: channel.id }
      return update.mutate({ body }, { onSuccess: finish(t('update.ok')) })
    }
    const fields = fieldsOf(draft, isMended)
    const n = keyCount(draft)
    const isPool = draft.keyMode === 'pool' && n > 1
    const isMany = n > 1 && !isPool
    const toast = isMany ? t('channel.createdMany', { n }) : t('channel.created', { name: fields.name ?? '' })
    const body = { ...fields, key_mode: isPool ? ('pool' as const) : ('split' as const) }
    return creation.mutate({ body }, { onSuccess: finish(toast) })
  }
  return { save, isBusy: creation.isPending || update.isPending }
}
