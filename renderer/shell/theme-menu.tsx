import { Menu, MenuItem } from '@blueprintjs/core'
import { Blank, Desktop, Flash, Moon, Tick } from '@blueprintjs/icons'
import type { JSX } from 'react'
import { OpenPopover } from '../components/popover/open-popover.tsx'
import { type Theme, useTheme } from '../theme.ts'
import { useTranslation } from '../translation.ts'

export default function ThemeMenu({ button }: { button: JSX.Element }) {
  const { t } = useTranslation()
  const { theme, choose } = useTheme()
  const items = themes.map(({ name, icon }) => (
    <MenuItem
      key={name}
      icon={icon}
      text={t(`theme.${name}`)}
      labelElement={name === theme ? <Tick title={t('state.selected')} /> : <Blank />}
      onClick={() => choose(name)}
    />
  ))
  return (
    <OpenPopover isMenu content={<Menu aria-label={t('theme.label')}>{items}</Menu>}>
      {button}
    </OpenPopover>
  )
}

const themes: readonly { name: Theme; icon: JSX.Element }[] = [
  { name: 'light', icon: <Flash /> },
  { name: 'dark', icon: <Moon /> },
  { name: 'system', icon: <Desktop /> },
]
