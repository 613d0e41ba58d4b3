import { Classes, type Intent } from '@blueprintjs/core'
import { NavLink } from 'react-router-dom'

type LinkButtonProps = Readonly<{
  /** A path of the console; elsewhere lead plain links. */
  to: string
  text: string
  intent?: Intent
  /** A filled button; without it the link looks like a place in a bar. */
  isFilled?: boolean
}>

/** A link within the console that looks like a Blueprint button; it is marked when its page is shown. */
export function LinkButton({ to, text, intent, isFilled = false }: LinkButtonProps) {
  const looks = [Classes.BUTTON, intent && Classes.intentClass(intent), !isFilled && Classes.MINIMAL]
  return (
    <NavLink to={to} end className={({ isActive }) => joined(...looks, isActive && Classes.ACTIVE)}>
      <span className={Classes.BUTTON_TEXT}>{text}</span>
    </NavLink>
  )
}

/** Class names, without those that do not apply. */
const joined = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
