import { useTranslation } from 'react-i18next'
import { useStatus } from './status.ts'

/** Who may see kept bodies, as the operator has chosen. */
export function useBodyViewers(): 'root' | 'admin' | 'owner' {
  const { keep_bodies_viewers: viewers } = useStatus()
  return viewers === 'admin' || viewers === 'owner' ? viewers : 'root'
}

/** For how long bodies are kept now, and who may see them, in a sentence or two (docs/reference/bodies.md). */
export function useKeepNote(): string {
  const { t } = useTranslation()
  const { keep_bodies: isOn, keep_bodies_hours: hours } = useStatus()
  const viewers = useBodyViewers()
  return isOn === true ? t(`bodies.note.${viewers}`, { hours: Number(hours) }) : t('bodies.note.off')
}
