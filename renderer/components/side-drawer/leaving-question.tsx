import { useTranslation } from '../../translation.ts'
import { Confirm } from '../confirm/confirm.tsx'
import type { Leaving } from './use-leaving.ts'

type LeavingQuestionProps = Readonly<{ leaving: Pick<Leaving, 'isAsking' | 'title' | 'confirm' | 'stay'> }>

export function LeavingQuestion({ leaving }: LeavingQuestionProps) {
  const { t } = useTranslation()
  const { isAsking, title, confirm, stay } = leaving
  return (
    <Confirm
      isOpen={isAsking}
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
