import {
  Cog,
  Comment,
  Desktop,
  Document,
  Duplicate,
  Flash,
  KeyCommand,
  LogOut,
  Moon,
  PanelStats,
  Plus,
  Translate,
} from '@blueprintjs/icons'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { languages, locales } from '../../../shared/messages/locales.ts'
import { labelOf } from '../../../shared/options/index.ts'
import { useAddress } from '../../api/use-address.ts'
import { useChatPresets } from '../../components/chat/chat-presets.ts'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { mainAction } from '../../components/page-frame/main-action.ts'
import { settingAddress } from '../../components/setting-search/setting-index.ts'
import { useSettingIndex } from '../../components/setting-search/use-setting-index.ts'
import { chooseLanguage, currentLocale, loadTexts } from '../../i18n.ts'
import { useTheme } from '../../theme.ts'
import { useTranslation } from '../../translation.ts'
import { groupLabels } from '../group-labels.ts'
import { menuIcons } from '../menu-icons.tsx'
import { useLogOut } from '../use-log-out.ts'
import { useCollapsed, useMenu } from '../use-menu.ts'
import type { Command } from './command.ts'
import { useFoundCommands } from './use-found-commands.tsx'

/**
 * All commands for the user: pages, their primary actions, what the typed text finds, settings, then actions available
 * on every page.
 */
export function useCommands(
  onShowShortcuts: () => void,
  typed: string,
): { commands: readonly Command[]; dialog: ReactNode } {
  const { t } = useTranslation()
  const logOut = useLogOut()
  const pages = usePageCommands()
  const looks = useLookCommands()
  const settings = useSettingCommands()
  const address = useAddress()
  const { copy, dialog } = useCopy()
  const found = useFoundCommands(typed, copy)
  const commands = [
    ...pages,
    ...found,
    ...settings,
    {
      id: 'address',
      text: t('home.copyAddress'),
      icon: <Duplicate />,
      run: () => copy(address),
    },
    ...looks,
    { id: 'shortcuts', text: t('shortcut.title'), icon: <KeyCommand />, run: onShowShortcuts },
    { id: 'log-out', text: t('label.logOut'), icon: <LogOut />, run: logOut },
  ]
  return { commands, dialog }
}

/** Every page of the menu, the chats, and the primary action of each page that has one. */
function usePageCommands(): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const pageRoutes = useMenu().flat()
  const pages = pageRoutes.map(({ path, menu }): Command => {
    const group = groupLabels[menu.group]
    const about = group && { about: t(group) }
    return {
      id: path,
      text: t(menu.label),
      icon: menuIcons[path] ?? <Document />,
      ...about,
      run: () => void navigate(path),
    }
  })
  const chats = (useChatPresets() ?? []).map(({ name }, index): Command => {
    const run = () => void navigate(`/chat/${index}`)
    return { id: `chat:${index}`, text: name, icon: <Comment />, about: t('label.chat'), run }
  })
  const actions = pageRoutes.flatMap(({ path, menu: { action, label } }): Command[] => {
    if (!action) return []
    const run = () => void navigate(path, { state: mainAction })
    return [{ id: `${path}:action`, text: t(action), icon: <Plus />, about: t(label), run }]
  })
  return [...pages, ...chats, ...actions]
}

/** Every setting, for users who may see the settings page; opens its field. */
function useSettingCommands(): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOffered = useMenu().some((group) => group.some(({ path }) => path === '/setting'))
  const index = useSettingIndex(isOffered)
  const [areTextsThere, setTextsThere] = useState(false)
  useEffect(() => {
    if (isOffered) void loadTexts(['option', 'setting']).then(() => setTextsThere(true), ignored)
  }, [isOffered])
  if (!areTextsThere) return []
  return index.map((entry): Command => {
    const { key, tab, panel, names } = entry
    const location = `${t(`tab.${tab}`)} › ${t(`panel.${panel}`)}`
    return {
      id: `setting:${key}`,
      text: t(labelOf(key)),
      icon: <Cog />,
      about: location,
      keywords: names.join(' '),
      isSearchOnly: true,
      run: () => void navigate(settingAddress(entry)),
    }
  })
}

const ignored = () => undefined

function useLookCommands(): readonly Command[] {
  const { t } = useTranslation()
  const { choose } = useTheme()
  const [isCollapsed, collapse] = useCollapsed()
  const others = locales.filter((locale) => locale !== currentLocale())
  const theme = t('theme.label')
  return [
    {
      id: 'sidebar',
      text: isCollapsed ? t('label.expandSidebar') : t('label.collapseSidebar'),
      icon: <PanelStats />,
      run: () => collapse(!isCollapsed),
    },
    { id: 'light', text: t('theme.light'), about: theme, icon: <Flash />, run: () => choose('light') },
    { id: 'dark', text: t('theme.dark'), about: theme, icon: <Moon />, run: () => choose('dark') },
    { id: 'system', text: t('theme.system'), about: theme, icon: <Desktop />, run: () => choose('system') },
    ...others.map((locale) => ({
      id: `language-${locale}`,
      text: languages[locale].name,
      about: t('language.label'),
      icon: <Translate />,
      run: () => void chooseLanguage(locale),
    })),
  ]
}
