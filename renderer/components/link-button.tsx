import { Classes, type Intent } from '@blueprintjs/core'
import { NavLink } from 'react-router-dom'

type LinkButtonProps = Readonly<{
  to: string
  text: string
  intent?: Intent
  /** A filled button; otherwise the link looks like a bar item. */
  isFilled?: boolean
}>

/** A console link styled as a Blueprint button; marked while its page is shown. */
export function LinkButton({ to, text, intent, isFilled = false }: LinkButtonProps) {
  const looks = [Classes.BUTTON, intent && Classes.intentClass(intent), !isFilled && Classes.MINIMAL]
  return (
    <NavLink to={to} end className={({ isActive }) => joined(...looks, isActive && Classes.ACTIVE)}>
      <span className={Classes.BUTTON_TEXT}>{text}</span>
    </NavLink>
  )
}

const joined = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
