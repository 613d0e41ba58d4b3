import { setup } from '../../../shared/api/setup.ts'
import type { Setup } from '../../accounts/login/setup.ts'
import { isInContainer } from '../../base/container.ts'
import { serve, withMessage } from '../serve.ts'

type SetupApiDeps = Readonly<{
  setup: Setup
  /** Called once the setup has been done. */
  onSetUp: () => void
}>

/** The first start (docs/reference/accounts.md#first-setup); once done, only `status` means anything. */
export const setupApi = ({ setup: installation, onSetUp }: SetupApiDeps) =>
  serve(setup, {
    status: () =>
      installation.isDone()
        ? { status: true, root_init: false, database_type: '', in_container: false }
        : {
            status: false,
            root_init: installation.hasRoot(),
            database_type: 'sqlite',
            in_container: isInContainer(),
          },
    submit: async ({ body, query, caller }) => {
      await installation.submit({ ...body, code: query.code, ip: caller.ip })
      onSetUp()
      return withMessage('setup.ok', null)
    },
  })
