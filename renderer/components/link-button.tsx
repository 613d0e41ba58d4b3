import { Classes, type Intent } from '@blueprintjs/core'
import classNames from 'classnames'
import { NavLink } from 'react-router-dom'

type LinkButtonProps = Readonly<{
  to: string
  text: string
  intent?: Intent
  /** A filled button; without it the link looks like a place in a bar. */
  isFilled?: boolean
}>

/** A link within the console that looks like a Blueprint button; it is marked when its page is shown. */
export function LinkButton({ to, text, intent, isFilled = false }: LinkButtonProps) {
  const looks = classNames(Classes.BUTTON, intent && Classes.intentClass(intent), { [Classes.MINIMAL]: !isFilled })
  return (
    <NavLink to={to} end className={({ isActive }) => classNames(looks, { [Classes.ACTIVE]: isActive })}>
      <span className={Classes.BUTTON_TEXT}>{text}</span>
    </NavLink>
  )
}
