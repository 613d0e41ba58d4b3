import { Classes, Tag, Tooltip } from '@blueprintjs/core'
import { Comment } from '@blueprintjs/icons'
import { Link, useLocation } from 'react-router-dom'
import type { SignedIn } from '../../../shared/api/user.ts'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { shownName } from '../../api/session.ts'
import { useTranslation } from '../../translation.ts'
import { editPath, fromList } from './addresses.ts'
import { mayChange } from './ladder.ts'

/** The name, which opens the form if the account may be changed; below it the other name and the remark, if any. */
export function NameCell({ user, by }: { user: ManagedUser; by: SignedIn | undefined }) {
  const { username, remark } = user
  const shown = shownName(user)
  const { search } = useLocation()
  return (
    <span className="user-name">
      {by && mayChange(by, user) ? (
        <Link to={{ pathname: editPath(user), search }} state={fromList}>
          {username}
        </Link>
      ) : (
        <span>{username}</span>
      )}
      {shown !== username && <span className={`user-shown ${Classes.TEXT_MUTED}`}>{shown}</span>}
      {remark !== '' && <Remark text={remark} />}
    </span>
  )
}

/** A truncated remark; shown in full on hover and focus. */
function Remark({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <Tooltip content={<span className="user-remark-whole">{text}</span>}>
      <Tag minimal className="user-remark" icon={<Comment size={12} title={t('user.remark')} />}>
        {text}
      </Tag>
    </Tooltip>
  )
}
