import { z } from 'zod'
import { call } from './call.ts'

/** The first administrator's default display name; the console shows the username instead of it. */
export const ROOT_DISPLAY_NAME = 'Root User'

/**
 * First setup: whether there is a root account yet, and the call that creates it
 * (docs/reference/accounts.md#first-setup).
 */
export const setup = {
  status: call({
    method: 'GET',
    path: '/api/setup',
    summary: 'Returns whether the installation has been set up.',
    access: 'public',
    answer: z.object({
      status: z.boolean(),
      root_init: z.boolean(),
      database_type: z.string(),
      /** Whether the gateway runs in a container, so that its data needs a mounted folder; false once it is set up. */
      in_container: z.boolean(),
    }),
  }),
  submit: call({
    method: 'POST',
    path: '/api/setup',
    summary: 'Creates the super administrator on the first start; needs the one-time code that the gateway prints.',
    access: 'public',
    onDemo: 'open',
    /** `code` is the one-time code printed at startup; the setup itself limits wrong ones. */
    query: z.object({ code: z.string().max(200).optional() }),
    body: z.object({
      username: z.string().max(200).default(''),
      password: z.string().max(256).default(''),
      confirmPassword: z.string().max(256).default(''),
      SelfUseModeEnabled: z.boolean().default(false),
      DemoSiteEnabled: z.boolean().default(false),
    }),
    answer: z.null(),
  }),
}
