import { useTranslation } from '../translation.ts'
import { useStatus } from './status.ts'

export function useBodyViewers(): 'root' | 'admin' | 'owner' {
  const { keep_bodies_viewers: viewers } = useStatus()
  return viewers === 'admin' || viewers === 'owner' ? viewers : 'root'
}

/** How long bodies are stored and who may view them (docs/reference/bodies.md). */
export function useStoredBodiesNote(): string {
  const { t } = useTranslation()
  const { keep_bodies_hours: hours } = useStatus()
  return t(`bodies.note.${useBodyViewers()}`, { hours: Number(hours) })
}

/** Explains the effect of storing bodies, or that the operator does not allow it. */
export function useBodyStorageNote(): string {
  const { t } = useTranslation()
  const { keep_bodies: isOn } = useStatus()
  const note = useStoredBodiesNote()
  return isOn === true ? note : t('bodies.note.off')
}
