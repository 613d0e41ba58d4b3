import { useTranslation } from '../translation.ts'
import { useStatus } from './status.ts'

/** Who may see kept bodies, as the operator has chosen. */
export function useBodyViewers(): 'root' | 'admin' | 'owner' {
  const { keep_bodies_viewers: viewers } = useStatus()
  return viewers === 'admin' || viewers === 'owner' ? viewers : 'root'
}

/** How bodies that are kept are kept: for how long, and who may see them (docs/reference/bodies.md). */
export function useKeptNote(): string {
  const { t } = useTranslation()
  const { keep_bodies_hours: hours } = useStatus()
  return t(`bodies.note.${useBodyViewers()}`, { hours: Number(hours) })
}

/** What a switch would bring about: that, or nothing while the operator does not allow it. */
export function useKeepNote(): string {
  const { t } = useTranslation()
  const { keep_bodies: isOn } = useStatus()
  const note = useKeptNote()
  return isOn === true ? note : t('bodies.note.off')
}
