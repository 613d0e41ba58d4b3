import { Button } from '@blueprintjs/core'
import type { JSX } from 'react'
import { useNarrow } from '../use-narrow.ts'

type FrameButtonProps = Readonly<{
  icon: JSX.Element
  label: string
  isDisabled?: boolean
  isBusy?: boolean
  /** For the button of something that opens. */
  isOpen?: boolean
  /** The icon alone also where there is room, because the page has many buttons. */
  isCompact?: boolean
  onClick: () => void
}>

/** A button of a page's head or of the lines under it; a phone has room for its icon alone. */
export function FrameButton({
  icon,
  label,
  isDisabled = false,
  isBusy = false,
  isOpen,
  isCompact,
  onClick,
}: FrameButtonProps) {
  const isNarrow = useNarrow() || isCompact
  return (
    <Button
      icon={icon}
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
