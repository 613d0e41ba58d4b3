import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { Chat, Code, Comparison, Eraser, Export, More, Plus, Settings } from '@blueprintjs/icons'
import { FrameButton } from '../../components/page-frame/frame-button.tsx'
import { Popover } from '../../components/popover/popover.tsx'
import { useCompact } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'
import type { ExportFormat } from './conversations/export.ts'

type PageActionsProps = Readonly<{
  isBusy: boolean
  isEmpty: boolean
  isComparing: boolean
  hasModel: boolean
  isPanelOpen: boolean
  onNew: () => void
  onList: () => void
  onCompare: () => void
  onClear: () => void
  onCode: () => void
  onExport: (format: ExportFormat) => void
  onPanel: () => void
}>

export function PageActions(props: PageActionsProps) {
  const { t } = useTranslation()
  const isCompact = useCompact()
  const { isBusy, isEmpty, isComparing, hasModel, isPanelOpen } = props
  const menu = (
    <Menu aria-label={t('play.more')}>
      <MenuItem icon={<Eraser />} text={t('play.clear')} disabled={isBusy || isEmpty} onClick={props.onClear} />
      <MenuItem icon={<Code />} text={t('play.viewCode')} disabled={!hasModel} onClick={props.onCode} />
      <MenuItem
        icon={<Export />}
        text={t('play.exportMarkdown')}
        disabled={isEmpty}
        onClick={() => props.onExport('markdown')}
      />
      <MenuItem
        icon={<Export />}
        text={t('play.exportJson')}
        disabled={isEmpty}
        onClick={() => props.onExport('json')}
      />
    </Menu>
  )
  return (
    <div className="playground-actions">
      <FrameButton
        icon={<Plus />}
        label={t('play.new')}
        isCompact={isCompact}
        isDisabled={isEmpty}
        onClick={props.onNew}
      />
      <FrameButton
        isQuiet
        icon={<Chat />}
        label={t('play.conversations')}
        isCompact={isCompact}
        onClick={props.onList}
      />
      <FrameButton
        isQuiet
        icon={<Comparison />}
        isCompact={isCompact}
        label={t(isComparing ? 'play.endComparing' : 'play.compare')}
        isDisabled={!hasModel || (isBusy && !isComparing)}
        onClick={props.onCompare}
      />
      <Popover isMenu content={menu}>
        <Button variant="minimal" icon={<More />} aria-label={t('play.more')} title={t('play.more')} />
      </Popover>
      <FrameButton
        isQuiet
        icon={<Settings />}
        label={t('play.settings')}
        isCompact={isCompact}
        isOpen={isPanelOpen}
        onClick={props.onPanel}
      />
    </div>
  )
}
