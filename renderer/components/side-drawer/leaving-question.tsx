import { useTranslation } from '../../translation.ts'
import { Confirm } from '../confirm/confirm.tsx'
import type { Leaving } from './use-leaving.ts'

type LeavingQuestionProps = Readonly<{ leaving: Pick<Leaving, 'isOpen' | 'title' | 'confirm' | 'stay'> }>

export function LeavingQuestion({ leaving }: LeavingQuestionProps) {
  const { t } = useTranslation()
  const { isOpen, title, confirm, stay } = leaving
  return (
    <Confirm
      isOpen={isOpen}
      question={t('drawer.leaveAsk', { title })}
      verb={t('drawer.discard')}
      isBusy={false}
      onConfirm={confirm}
      onCancel={stay}
    >
      {t('drawer.leaveHint')}
    </Confirm>
  )
}
