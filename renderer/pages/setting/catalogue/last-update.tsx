import { Button, Classes } from '@blueprintjs/core'
import { Undo } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogue, type PriceSync } from '../../../../shared/api/catalogue.ts'
import { useCall, useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { groupDigits } from '../../../components/count.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { showSuccess, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

/** The last update still in force, with an undo button; nothing if there is none. */
export function LastUpdate() {
  const { data } = useCall(catalogue.last, {}, { quiet: true })
  return data ? <Last sync={data} /> : null
}

function Last({ sync: { id, format, models, username, created_at } }: { sync: PriceSync }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { mutateAsync, isPending } = useSend(catalogue.undo)
  const [isConfirming, setConfirming] = useState(false)
  const undo = async () => {
    try {
      const { undone, kept: retained } = await mutateAsync({ body: { id } })
      await queries.invalidateQueries()
      if (retained.length === 0) showSuccess(t('prices.undone', { n: groupDigits(undone) }))
      else
        showWarning(
          t('prices.undoneBut', {
            n: groupDigits(undone),
            names: retained.slice(0, MAX_NAMES).join(', '),
            kept: groupDigits(retained.length),
          }),
        )
    } catch {
      // The call has shown the error in a toast.
    } finally {
      setConfirming(false)
    }
  }
  return (
    <p className={`catalogue-tools-last ${Classes.TEXT_MUTED}`}>
      <span>
        {t('prices.last', { n: groupDigits(models), format: t(`prices.format.${format}`), name: username })}{' '}
        <TimeText at={created_at} isShort />
      </span>
      <Button size="small" icon={<Undo />} text={t('prices.undo')} onClick={() => setConfirming(true)} />
      <Confirm
        isOpen={isConfirming}
        question={t('prices.undoAsk', { n: groupDigits(models) })}
        verb={t('prices.undo')}
        isBusy={isPending}
        onConfirm={() => void undo()}
        onCancel={() => setConfirming(false)}
      >
        {t('prices.undoHint')}
      </Confirm>
    </p>
  )
}

const MAX_NAMES = 5
