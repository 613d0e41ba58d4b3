import { setup } from '../../../shared/api/setup.ts'
import type { Setup } from '../../accounts/login/setup.ts'
import { isInContainer } from '../../base/container.ts'
import type { Nodes } from '../../billing/nodes.ts'
import { serve, withMessage } from '../serve.ts'

/** The first setup (docs/reference/accounts.md#first-setup); once it is done, only `status` is useful. */
export const setupApi = (installation: Setup, { own: node }: Pick<Nodes, 'own'>) =>
  serve(setup, {
    status: () =>
      installation.isDone()
        ? { status: true, root_init: false, database_type: '', in_container: false }
        : {
            status: false,
            root_init: installation.hasRoot(),
            database_type: node === '' ? 'sqlite' : 'postgres',
            in_container: isInContainer(),
          },
    submit: async ({ body, query, caller }) => {
      await installation.submit({ ...body, code: query.code, ip: caller.ip })
      return withMessage('setup.ok', null)
    },
  })
