import { z } from 'zod'
import { call } from './call.ts'
import { queryText } from './fields.ts'

const importOrigins = ['new-api', 'one-api', 'litellm'] as const
export type ImportOrigin = (typeof importOrigins)[number]

/** Imported tables, in the order of reports. */
const importTables = ['users', 'tokens', 'channels', 'options', 'redemptions', 'top_ups', 'logs'] as const
export type ImportTable = (typeof importTables)[number]

/** Choices other than secrets; reports state them. */
const reportedChoices = {
  accounts: z.boolean().describe('Users and their API tokens.'),
  channels: z.boolean(),
  options: z
    .enum(['all', 'prices', 'none'])
    .describe('prices: only ratios, prices, groups and the value of a quota unit.'),
  overwrite: z
    .boolean()
    .describe('Also overwrite settings that were changed from their default here, and the value of a quota unit.'),
  redemptions: z.boolean(),
  history: z.boolean().describe('The usage log and the top-ups.'),
  names: z
    .enum(['rename', 'skip'])
    .describe('Whether a user whose name exists here gets another name, or is left out with all tokens.'),
  root: z
    .enum(['admin', 'mine'])
    .describe(
      "How the other gateway's super administrator is imported: as an administrator, or not at all; then the tokens go to the importing account.",
    ),
}

const choices = z
  .object({
    accounts: reportedChoices.accounts.default(true),
    channels: reportedChoices.channels.default(true),
    options: reportedChoices.options.default('all'),
    overwrite: reportedChoices.overwrite.default(false),
    redemptions: reportedChoices.redemptions.default(true),
    history: reportedChoices.history.default(false),
    names: reportedChoices.names.default('rename'),
    root: reportedChoices.root.default('admin'),
    secrets: z
      .record(z.string().max(200), z.string().max(20_000))
      .default({})
      .describe('Values of environment variables that a LiteLLM file names.'),
  })
  .meta({ id: 'ImportChoices' })
export type ImportChoices = z.output<typeof choices>
export const usualChoices: ImportChoices = {
  accounts: true,
  channels: true,
  options: 'all',
  overwrite: false,
  redemptions: true,
  history: false,
  names: 'rename',
  root: 'admin',
  secrets: {},
}

const counts = z.object({
  table: z.enum(importTables),
  found: z.int().describe('Rows in the file.'),
  comes: z.int().describe('Rows that are new here.'),
  known: z.int().describe('Rows that exist here, such as those of an earlier import.'),
  deleted: z.int().describe('Rows that were deleted in the other gateway.'),
  left_out: z.int().describe('Rows that are not imported; the remarks give the reasons.'),
})
export type ImportCounts = z.infer<typeof counts>

const remark = z.object({
  table: z.enum(importTables),
  row: z.string().describe('The row: its name or number in the other gateway.'),
  outcome: z.enum(['left_out', 'changed', 'note']),
  text: z.string().describe("The effect and the reason, in the reader's language."),
})
export type ImportRemark = z.infer<typeof remark>

const setting = z.object({
  key: z.string(),
  before: z.string().describe('The current value.'),
  after: z.string(),
  is_part: z.boolean().describe('Only the differing entries of maps and the beginning of long values are listed.'),
})
export type ImportSetting = z.infer<typeof setting>

const report = z
  .object({
    id: z.string(),
    origin: z.enum(importOrigins),
    choices: z.object(reportedChoices).describe('The choices on which the report is based.'),
    tables: z.array(counts),
    settings: z.array(setting).describe('The settings that would change.'),
    remarks: z.array(remark).describe('At most 500 of them.'),
    remarks_total: z.int(),
    variables: z.array(z.string()).describe('Environment variables that the file names but that are not given.'),
    is_ready: z.boolean().describe('Whether anything can be imported.'),
  })
  .meta({ id: 'ImportPreview' })
export type ImportPreview = z.infer<typeof report>

/** `empty`: no file; `ready`: an unchecked file; then the running step, and the result. */
const importStages = ['empty', 'ready', 'checking', 'checked', 'writing', 'history', 'done', 'failed'] as const

const state = z
  .object({
    stage: z.enum(importStages),
    file: z.object({ name: z.string(), size: z.int(), origin: z.enum(['database', 'litellm']) }).nullable(),
    progress: z
      .object({ table: z.enum(importTables), done: z.int(), total: z.int() })
      .nullable()
      .describe('Rows of the current table that were read or written.'),
    report: report.nullable(),
    result: z
      .object({
        tables: z.array(counts),
        is_whole: z.boolean().describe('False if the import of the log ended early.'),
      })
      .nullable(),
    error: z.string().describe("The reason for ending early, in the reader's language; otherwise empty."),
  })
  .meta({ id: 'ImportState' })
export type ImportState = z.infer<typeof state>

/** Imports users, tokens, channels and settings of another gateway; one import at a time. */
export const imports = {
  state: call({
    method: 'GET',
    path: '/api/import',
    summary: 'Returns the state of the import: its file, report, progress and result.',
    access: 'root',
    answer: state,
  }),
  upload: call({
    method: 'POST',
    path: '/api/import/file',
    summary: 'Stores the file of another gateway, whose bytes are the body; nothing is imported yet.',
    access: 'root',
    query: z.object({ name: queryText() }),
    takesFile: true,
    answer: state,
  }),
  check: call({
    method: 'POST',
    path: '/api/import/check',
    summary: 'Starts a dry run over the file: it writes nothing and ends with a report.',
    access: 'root',
    body: choices,
    answer: z.null(),
  }),
  confirm: call({
    method: 'POST',
    path: '/api/import/confirm',
    summary: 'Imports the rows of a report in one transaction; the usage log follows in steps.',
    access: 'root',
    body: z.object({ report: z.string().max(100) }),
    answer: z.null(),
  }),
  cancel: call({
    method: 'DELETE',
    path: '/api/import',
    summary: 'Ends the running import and removes the file.',
    access: 'root',
    answer: z.null(),
  }),
}
