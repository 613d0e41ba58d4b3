import type { OptionImportReport } from '../../shared/api/option-file.ts'
import type { OptionChangeView } from '../../shared/api/option-history.ts'

type Replaced = Readonly<{ before: string | null; after: string | null }>

const change = (id: number, key: string, values: Replaced, more: Partial<OptionChangeView> = {}): OptionChangeView => ({
  id,
  created_at: 1_790_000_000 + id * 4321,
  user_id: 1,
  username: 'root',
  origin: 'edit',
  key,
  kept: 'whole',
  is_cut: false,
  can_undo: true,
  ...values,
  ...more,
})

/** Changes of every kind: numbers, switches, JSON, texts, secrets, manual and automatic. */
const changes = [
  change(9, 'RetryTimes', { before: '5', after: '2' }, { origin: 'undo' }),
  change(8, 'ModelRatio', {
    before: '{"gpt-4o":1.25,"o3-mini":0.55,"claude-3-5-sonnet-20241022":1.5}',
    after: '{"gpt-4o":1,"claude-3-5-sonnet-20241022":1.5,"gpt-4.1":1}',
  }),
  change(7, 'SMTPToken', { before: 'cleared', after: 'set' }, { kept: 'secret', can_undo: false }),
  change(
    6,
    'GroupRatio',
    { before: '{"default":1}', after: '{"default":1,"vip":0.8}' },
    { origin: 'import', username: 'a-colleague-with-a-long-name' },
  ),
  change(5, 'RegisterEnabled', { before: 'true', after: 'false' }),
  change(4, 'SensitiveWords', { before: 'one\ntwo', after: 'two\nthree\nfour' }),
  change(3, 'Notice', { before: '', after: 'Maintenance on Sunday from 22:00 to 23:00. Requests may fail meanwhile.' }),
  change(2, 'About', { before: null, after: null }, { kept: 'too_long', can_undo: false }),
  change(1, 'SelfUseModeEnabled', { before: 'true', after: 'false' }, { origin: 'setup', user_id: 0 }),
]

export const historyPage = { items: changes, total: changes.length, page: 1, page_size: 10 }
export const noHistory = { items: [], total: 0, page: 1, page_size: 10 }

const item = (key: string, outcome: OptionImportReport['items'][number]['outcome'], more = {}) => ({
  key,
  outcome,
  before: '',
  after: '',
  why: '',
  needs_choice: false,
  ...more,
})

/** The report of a dry run, with every outcome. */
export const importReport: OptionImportReport = {
  applied: 0,
  items: [
    item('RetryTimes', 'change', { before: '2', after: '5' }),
    item('GroupRatio', 'change', { before: '{"default":1,"vip":1,"svip":1}', after: '{"default":1,"vip":0.8}' }),
    item('Notice', 'change', { before: '', after: 'Maintenance on Sunday from 22:00 to 23:00.' }),
    item('ServerAddress', 'refused', {
      before: '',
      after: 'https://gate.example',
      why: 'The console is open at 127.0.0.1, which would stop answering.',
    }),
    item('Price', 'same'),
    item('SMTPToken', 'secret'),
    item('SomethingOfAnotherRelease', 'unknown'),
  ],
}
