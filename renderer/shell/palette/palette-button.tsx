import { Button } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useTranslation } from '../../translation.ts'
import { useOpenPalette } from './palette-context.ts'

/** Opens the command palette with the pointer, and so tells that there is one. */
export function PaletteButton() {
  const { t } = useTranslation()
  const open = useOpenPalette()
  return <Button variant="minimal" icon={<Search />} aria-label={t('shortcut.palette')} onClick={open} />
}
