import { Button } from '@blueprintjs/core'
import type { JSX } from 'react'
import { useNarrow } from '../use-narrow.ts'

type FrameButtonProps = Readonly<{
  icon: JSX.Element
  label: string
  isDisabled?: boolean
  isBusy?: boolean
  isOpen?: boolean
  /** Shows only the icon, on pages with many buttons. */
  isCompact?: boolean
  /** Without an outline, next to the page's main buttons. */
  isQuiet?: boolean
  onClick: () => void
}>

/** A button in a page's header, or in the bars below it; only an icon on a phone, or if compact. */
export function FrameButton({
  icon,
  label,
  isDisabled = false,
  isBusy = false,
  isOpen,
  isCompact,
  isQuiet = false,
  onClick,
}: FrameButtonProps) {
  const isNarrow = useNarrow() || isCompact
  return (
    <Button
      icon={icon}
      variant={isQuiet ? 'minimal' : 'solid'}
      text={isNarrow ? undefined : label}
      title={isNarrow ? label : undefined}
      aria-label={label}
      aria-expanded={isOpen}
      disabled={isDisabled}
      loading={isBusy}
      onClick={onClick}
    />
  )
}
