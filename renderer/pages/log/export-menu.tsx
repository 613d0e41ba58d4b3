import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { Cross, Download } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { log } from '../../../shared/api/log.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { takeFile } from '../../api/take-file.ts'
import { FrameButton } from '../../components/page-frame/frame-button.tsx'
import { Popover } from '../../components/popover/popover.tsx'
import { saveBlob } from '../../components/save-file.ts'
import { showFailure, showSuccess } from '../../components/toasts.ts'
import { useNarrow } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'
import { allQuery, type LogFilter, ownQuery } from './log-filter.ts'

type ExportMenuProps = Readonly<{ filter: LogFilter; isAdmin: boolean }>

/** Exports all rows that match the filter; meanwhile the button cancels it (docs/reference/logs.md#export). */
export function ExportMenu(props: ExportMenuProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const { isRunning, start, cancel } = useExport(props)
  if (isRunning) return <FrameButton icon={<Cross />} label={t('log.exportCancel')} onClick={cancel} />
  const menu = (
    <Menu>
      <MenuItem text={t('log.exportCsv')} onClick={() => start('csv')} />
      <MenuItem text={t('log.exportJson')} onClick={() => start('json')} />
    </Menu>
  )
  const label = t('log.export')
  return (
    <Popover isMenu placement="bottom-end" content={menu}>
      <Button icon={<Download />} text={isNarrow ? undefined : label} title={t('log.exportHint')} aria-label={label} />
    </Popover>
  )
}

function useExport({ filter, isAdmin }: ExportMenuProps) {
  const { t } = useTranslation()
  const running = useRef<AbortController>(undefined)
  const [isRunning, setRunning] = useState(false)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (format: 'csv' | 'json') => {
    const control = new AbortController()
    running.current = control
    setRunning(true)
    try {
      const { content, name } = isAdmin
        ? await takeFile(log.export, { query: { ...allQuery(filter), format } }, control.signal)
        : await takeFile(log.exportOwn, { query: { ...ownQuery(filter), format } }, control.signal)
      saveBlob(content, name)
      showSuccess(t('log.exportDone', { name }))
    } catch (error) {
      if (!control.signal.aborted && error instanceof CallFailure) showFailure(error)
      else if (!control.signal.aborted) throw error
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, start: (format: 'csv' | 'json') => void start(format), cancel: () => running.current?.abort() }
}
