import './toolbar.css'
import { Switch } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { FrameButton } from '../../../components/page-frame/frame-button.tsx'
import { useNarrow } from '../../../components/use-narrow.ts'
import { useTranslation } from '../../../translation.ts'
import { BatchMenu } from './batch-menu.tsx'
import type { ListMode } from './use-channels.ts'

type ToolbarProps = Readonly<{
  mode: ListMode
  onTurn: (change: Partial<ListMode>) => void
  onRefresh: () => void
  isRefreshing: boolean
  settings: ReactNode
}>

/** List modes and actions on all channels (docs/reference/screens.md#channels); with short labels on a phone. */
export function Toolbar({ mode, onTurn, onRefresh, isRefreshing, settings }: ToolbarProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  return (
    <div className="channel-toolbar">
      <div className="channel-toolbar-switches">
        {switches.map((name) => (
          <Switch
            key={name}
            label={t(isNarrow ? `channel.short.${name}` : `channel.${name}`)}
            checked={mode[name]}
            onChange={(event) => onTurn({ [name]: event.currentTarget.checked })}
          />
        ))}
      </div>
      <div className="channel-toolbar-buttons">
        <FrameButton icon={<Refresh />} label={t('label.refresh')} isBusy={isRefreshing} onClick={onRefresh} />
        <BatchMenu />
        {settings}
      </div>
    </div>
  )
}

const switches = ['idSort', 'batchMode', 'tagMode'] as const
