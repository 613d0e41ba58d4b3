import { z } from 'zod'
import { call } from './call.ts'
import {
  complaint,
  idempotencyKey,
  idParams,
  ids,
  MAX_QUOTA,
  nameText,
  pageNumber,
  pageSize,
  queryOneOf,
  querySort,
  queryText,
} from './fields.ts'
import { MAX_DISPLAY_NAME, passwordText, usernameText, userView } from './user.ts'

/** An administrator's actions on an account; `delete` cannot be undone. */
export const userActions = ['promote', 'demote', 'disable', 'enable', 'delete'] as const
export type UserAction = (typeof userActions)[number]

/** Filters of the account search. */
export const userRoles = ['user', 'admin', 'root'] as const
export const userStates = ['active', 'banned', 'deactivated'] as const

export const userSorts = ['id', 'username', 'quota', 'used_quota', 'request_count', 'created_at'] as const
export type UserSort = z.output<ReturnType<typeof querySort<(typeof userSorts)[number]>>>

/** Maximum length of an account's remark, in code points. */
export const MAX_REMARK = 255

/** An account as an administrator sees it, including the remark, which its owner does not see. */
const managedUser = z
  .object({
    ...userView.shape,
    remark: z.string(),
    last_active_at: z.int().describe('When the account last used a token or the console, in Unix seconds; 0 if never.'),
  })
  .meta({ id: 'ManagedUser' })
export type ManagedUser = z.infer<typeof managedUser>

const page = z.object({ items: z.array(managedUser), total: z.int(), page: z.int(), page_size: z.int() })

const amount = z.int().min(-MAX_QUOTA).max(MAX_QUOTA)
const displayName = nameText(MAX_DISPLAY_NAME)

const newUser = z.object({
  username: usernameText.default(''),
  password: passwordText.default(''),
  display_name: displayName.default(''),
  role: z.int().optional().describe('1 by default; 10 only by the super administrator.'),
})
export type NewUserFields = z.output<typeof newUser>

const userChange = z
  .object({
    id: z.int().positive(),
    username: usernameText.optional(),
    password: passwordText.optional().describe('Empty leaves it unchanged.'),
    display_name: displayName.optional(),
    group: z.string().max(64).optional(),
    remark: nameText(MAX_REMARK).optional(),
    quota: amount.optional(),
    quota_base: amount
      .optional()
      .describe(
        'The quota that the editor loaded: the difference is added to the balance. Without it, the balance is set to `quota`.',
      ),
    idempotency_key: idempotencyKey('A call that is repeated with the same key moves quota only once.'),
    role: z.int().optional().describe('Refused for your own role or a higher one; otherwise ignored.'),
  })
  .refine(
    ({ quota, quota_base, idempotency_key: key }) => !key || quota === undefined || quota_base !== undefined,
    complaint('user.key_without_base'),
  )
export type UserChange = z.output<typeof userChange>

const usersChange = z
  .object({
    ids,
    action: z.enum(['enable', 'disable', 'delete']).optional(),
    group: z.string().max(64).optional(),
    amount: amount.optional().describe('Quota to add to each balance; a negative amount takes quota away.'),
    idempotency_key: idempotencyKey('A call that is repeated with the same key moves quota only once.'),
  })
  .refine(
    ({ ids: _, idempotency_key: __, ...change }) =>
      Object.values(change).filter((value) => value !== undefined).length === 1,
  )
export type UsersChange = z.output<typeof usersChange>

const changedUsers = z
  .object({
    changed: z.int().describe('Number of accounts that were changed.'),
    refused: z
      .array(z.object({ id: z.int(), username: z.string(), message: z.string() }))
      .describe(
        'The accounts that were not changed, each with the reason; the username of an unknown account is empty.',
      ),
  })
  .meta({ id: 'ChangedUsers' })
export type ChangedUsers = z.infer<typeof changedUsers>

/** Account management by administrators (docs/reference/accounts.md#managing-accounts). */
export const userAdmin = {
  list: call({
    method: 'GET',
    path: '/api/user',
    summary: 'Lists all accounts, including deactivated ones, newest first.',
    access: 'admin',
    query: z.object({ sort: querySort(userSorts), p: pageNumber, page_size: pageSize }),
    answer: page,
  }),
  search: call({
    method: 'GET',
    path: '/api/user/search',
    summary: 'Finds accounts by ID, username, display name or email address, and by group, role and status.',
    access: 'admin',
    query: z.object({
      keyword: queryText(),
      group: queryText(),
      role: queryOneOf(userRoles),
      status: queryOneOf(userStates),
      sort: querySort(userSorts),
      p: pageNumber,
      page_size: pageSize,
    }),
    answer: page,
  }),
  one: call({
    method: 'GET',
    path: '/api/user/:id',
    summary: 'Returns one account.',
    access: 'admin',
    params: idParams,
    answer: managedUser,
  }),
  create: call({
    method: 'POST',
    path: '/api/user',
    summary: 'Adds an account.',
    access: 'admin',
    body: newUser,
    answer: z.null(),
  }),
  update: call({
    method: 'PUT',
    path: '/api/user',
    summary: 'Changes the fields of an account that are present in the body.',
    access: 'admin',
    body: userChange,
    answer: z.null(),
  }),
  manage: call({
    method: 'POST',
    path: '/api/user/manage',
    summary: 'Promotes, demotes, disables, enables or deactivates an account.',
    access: 'admin',
    body: z.object({ id: z.int().positive(), action: z.string().max(20) }),
    answer: z.object({ status: z.int(), role: z.int() }),
  }),
  changeMany: call({
    method: 'PUT',
    path: '/api/user/batch',
    summary: 'Enables, disables or deactivates several accounts, sets their group, or adds quota to each.',
    access: 'admin',
    body: usersChange,
    answer: changedUsers,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/user/:id',
    summary: 'Deletes an account permanently, with its tokens and sessions; its log stays.',
    access: 'admin',
    params: idParams,
    answer: z.null(),
  }),
}
