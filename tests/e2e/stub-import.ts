import { type ImportState, usualChoices } from '../../shared/api/import.ts'

const none: ImportState = { stage: 'empty', file: null, progress: null, report: null, result: null, error: '' }
const file = { name: 'one-api.db', size: 184_300_000, origin: 'database' } as const
const { secrets, ...choices } = usualChoices
const row = { found: 0, comes: 0, known: 0, deleted: 0, left_out: 0 }
const tables = [
  { ...row, table: 'users', found: 1268, comes: 1204, deleted: 61, left_out: 3 },
  { ...row, table: 'tokens', found: 5310, comes: 5107, deleted: 198, left_out: 5 },
  { ...row, table: 'channels', found: 42, comes: 39, left_out: 3 },
  { ...row, table: 'options', found: 96, comes: 31, known: 44, left_out: 21 },
  { ...row, table: 'redemptions', found: 800, comes: 800 },
  { ...row, table: 'logs', found: 8_412_903, left_out: 8_412_903 },
] as const

/** A report with remarks of every outcome. */
const told: ImportState = {
  ...none,
  stage: 'checked',
  file,
  report: {
    id: 'a-report',
    origin: 'new-api',
    choices,
    tables: [...tables],
    settings: [
      { key: 'SystemName', before: 'Switchyard', after: 'The old house', is_part: false },
      { key: 'ModelRatio', before: '{"gpt-4o":1.25}', after: '{"gpt-4o":1.5,"in-house":0.2}', is_part: true },
    ],
    remarks: [
      { table: 'users', row: 'root', outcome: 'changed', text: 'The name is already in use. The user becomes root-2.' },
      { table: 'users', row: 'root', outcome: 'changed', text: 'The super administrator becomes an administrator.' },
      { table: 'tokens', row: 'nightly jobs', outcome: 'left_out', text: 'Its user is not imported.' },
      { table: 'channels', row: 'video', outcome: 'left_out', text: 'Channel type 52 is not supported.' },
      {
        table: 'options',
        row: 'vip',
        outcome: 'note',
        text: 'The group vip is in use but has no ratio. Add it to the group ratios.',
      },
    ],
    remarks_total: 23,
    variables: [],
    is_ready: true,
  },
}

/** A file of LiteLLM that uses variables. */
const names: ImportState = {
  ...told,
  file: { name: 'config.yaml', size: 4200, origin: 'litellm' },
  report: {
    id: 'a-report',
    origin: 'litellm',
    choices,
    tables: [{ ...row, table: 'channels', found: 12, comes: 12 }],
    settings: [],
    remarks: [],
    remarks_total: 0,
    variables: ['AZURE_API_KEY', 'OPENAI_API_KEY'],
    is_ready: true,
  },
}

/** An import of the usage log in progress. */
const goesOn: ImportState = {
  ...none,
  stage: 'history',
  file,
  progress: { table: 'logs', done: 3_120_400, total: 8_412_903 },
}

const ended: ImportState = { ...none, stage: 'done', result: { tables: [...tables], is_whole: true } }

/** A file that is not a database. */
const failed: ImportState = {
  ...none,
  stage: 'failed',
  error: 'The file is not a SQLite database, or it is encrypted.',
}

/** States of an import, by the names of their screens. */
export const importStates = { report: told, variables: names, running: goesOn, done: ended, failed } as const
