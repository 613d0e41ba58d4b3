import { useTranslation } from '../../translation.ts'
import { DESKTOP_PROGRAM, deviceOf } from './device.ts'

/** Names the browser and system of a `User-Agent`, e.g. "Chrome on Windows". */
export function useDeviceName(): (userAgent: string) => string {
  const { t } = useTranslation()
  return (userAgent) => {
    const { program, system } = deviceOf(userAgent)
    if (program === undefined) return system ?? t('security.deviceUnknown')
    const browser = program === DESKTOP_PROGRAM ? t('security.desktopApp') : program
    return system === undefined ? browser : t('security.deviceOn', { browser, system })
  }
}
