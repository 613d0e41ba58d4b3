import { Classes, Menu, MenuItem } from '@blueprintjs/core'
import { ChevronDown, ChevronRight, Comment } from '@blueprintjs/icons'
import { useEffect, useId, useState } from 'react'
import { NavLink, useNavigate } from 'react-router-dom'
import { type ChatPreset, useChatPresets } from '../components/chat/chat-presets.ts'
import { Popover } from '../components/popover/popover.tsx'
import { showWarning } from '../components/toasts.ts'
import { useTranslation } from '../translation.ts'

type ChatMenuProps = Readonly<{ isCollapsed: boolean; onGo?: (() => void) | undefined }>

/** The operator's chat links, collapsed by default; in the collapsed sidebar they open as a menu. */
export function ChatMenu({ isCollapsed, onGo }: ChatMenuProps) {
  const { t } = useTranslation()
  const presets = useChatPresets()
  const isBroken = presets === undefined
  const text = t('chat.parse')
  useEffect(() => {
    if (isBroken) showWarning(text)
  }, [isBroken, text])
  if (!presets || presets.length === 0) return null
  return isCollapsed ? <CollapsedMenu presets={presets} /> : <Folded presets={presets} onGo={onGo} />
}

function Folded({ presets, onGo }: Readonly<{ presets: readonly ChatPreset[]; onGo?: (() => void) | undefined }>) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <li>
      <button
        type="button"
        className={`side-menu-fold ${Classes.MENU_ITEM}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={Classes.MENU_ITEM_ICON}>
          <Comment />
        </span>
        <span className={Classes.FILL}>{t('label.chat')}</span>
        <Chevron />
      </button>
      <ul id={id} className="side-menu-inner" hidden={!isOpen} aria-label={t('label.chat')}>
        {presets.map(({ name }, index) => (
          <li key={name}>
            <NavLink to={pathOf(index)} className={Classes.MENU_ITEM} onClick={onGo}>
              <span className={`${Classes.FILL} ${Classes.TEXT_OVERFLOW_ELLIPSIS}`}>{name}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </li>
  )
}

function CollapsedMenu({ presets }: Readonly<{ presets: readonly ChatPreset[] }>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const content = (
    <Menu aria-label={t('label.chat')}>
      {presets.map(({ name }, index) => (
        <MenuItem key={name} text={name} onClick={() => void navigate(pathOf(index))} />
      ))}
    </Menu>
  )
  return (
    <li>
      <Popover isMenu placement="right-start" content={content}>
        <button type="button" className={`side-menu-fold ${Classes.MENU_ITEM}`} aria-label={t('label.chat')}>
          <span className={Classes.MENU_ITEM_ICON}>
            <Comment />
          </span>
        </button>
      </Popover>
    </li>
  )
}

const pathOf = (index: number): string => `/chat/${index}`
