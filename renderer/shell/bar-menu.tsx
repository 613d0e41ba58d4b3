import { Button } from '@blueprintjs/core'
import { type ComponentType, type JSX, useState } from 'react'

/** The menu of a button in the bar, with the button itself, which it shows from then on. */
type OpenMenu = ComponentType<Readonly<{ button: JSX.Element }>>

type BarMenuProps = Readonly<{
  icon: JSX.Element
  /** What the button is called for screen readers. */
  label: string
  /** What the button says beside its icon. */
  text?: string | undefined
  load: () => Promise<{ default: OpenMenu }>
}>

/**
 * A button in the top bar that opens a menu. The menu's code comes when the button is pointed at or pressed: a first view
 * does without it. When it cannot be had nothing opens, and the next press tries again.
 */
export function BarMenu({ icon, label, text, load }: BarMenuProps) {
  const [Menu, setMenu] = useState<OpenMenu>()
  const look = { variant: 'minimal', icon, text, 'aria-label': label, 'aria-haspopup': 'menu' } as const
  if (Menu) return <Menu button={<Button {...look} />} />
  const open = () =>
    load().then(
      (loaded) => setMenu(() => loaded.default),
      () => undefined,
    )
  const fetchEarly = () => void load().catch(() => undefined)
  return <Button {...look} aria-expanded={false} onPointerEnter={fetchEarly} onClick={() => void open()} />
}
