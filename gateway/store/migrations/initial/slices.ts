import { sql } from 'kysely'
import { MIN_QUOTA } from '../../../../shared/api/fields.ts'
import type { Older } from '../column.ts'

/**
 * Creates what several nodes on PostgreSQL need to share balances (docs/decisions/2026-11-29-slices-of-balances.md):
 * the part of each balance that no node has leased, the leases, and the functions that change them.
 */
export async function createSlices(db: Older): Promise<void> {
  const triggers = [...followed('users', 'quota', 0), ...followed('tokens', 'remain_quota', 1)]
  const functions = [LEASE, COMMIT, RECONCILE, PUBLISH_BUDGET, FENCE, FINAL]
  for (const statement of [...TABLES, ...triggers, ...functions]) await sql.raw(statement).execute(db)
}

/** An advisory lock that commits of nodes share (gateway/store/postgres/dialect.ts has the others). */
const COMMITS = '29559, 4'

/** The base of the keys of advisory locks of tokens whose budgets are published; the token's id is added to it. */
const BUDGETS = '29559::bigint << 40'

/** Max value of usage counters, as on SQLite. */
const MAX_USED = 1_000_000_000_000_000

const LOG_COLUMNS = [
  ...['user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota', 'prompt_tokens'],
  ...['completion_tokens', 'use_time', 'is_stream', 'retries', 'channel_id', 'token_id', 'group', 'ip', 'other'],
  'request_id',
]
  .map((name) => `"${name}"`)
  .join(', ')

/** Keys and sums of each table of hours; the last parameter of `commit_charges` has rows for each. */
const HOUR_TABLES = {
  quota_data: ['user_id, username, model_name, created_at', ['count', 'quota', 'token_used']],
  channel_hours: ['created_at, channel_id', ['served', 'failed']],
  latency_hours: ['measure, created_at, bucket', ['count']],
  usage_hours: ['kind, created_at, subject', ['count', 'errors', 'quota', 'token_used']],
} as const

const HOURS = Object.entries(HOUR_TABLES)
  .map(([table, [keys, sums]]) => {
    const columns = `${keys}, ${sums.join(', ')}`
    const added = sums.map((name) => `${name} = h.${name} + excluded.${name}`).join(', ')
    return `    insert into ${table} as h (${columns})
      select ${columns} from json_populate_recordset(null::${table}, hours->'${table}') order by ${keys}
      on conflict (${keys}) do update set ${added};`
  })
  .join('\n')

/**
 * Kind 0 is an account, kind 1 is a token. `free` is negative if more was taken from an account than was free; `amount`
 * is negative if a request cost more than it reserved. `batch` counts the commits of a node, so that each is written
 * once; `entries` is the number of entries of the last commit. `grants` counts the leases of a node, so that a lease
 * that arrives late has no effect. A node that was fenced may begin another epoch. `budget_holds` has what each node
 * has reserved of a token with budgets, or charged without having written it.
 */
const TABLES = [
  'create table pool (kind smallint, id bigint, free bigint not null, wanted_at timestamptz, primary key (kind, id))',
  'create table leases (kind smallint, id bigint, node text, amount bigint not null, primary key (kind, id, node))',
  'create index leases_node on leases (node)',
  'create index pool_wanted on pool (wanted_at) where wanted_at is not null',
  `create table nodes (id text primary key, version text not null, host text not null default '', epoch bigint not null, batch bigint not null, entries bigint not null,
    sequence bigint not null, grants bigint not null, fenced_at timestamptz)`,
  // Separate from the row above, which a commit locks while it waits for others.
  `create table node_beats (node text primary key, seen_at timestamptz not null, uncommitted int not null default 0,
    uncommitted_s int not null default 0, redis text not null default 'none', draining boolean not null default false,
    alarmed boolean not null default false)`,
  'create table budget_holds (token_id bigint, node text, amount bigint not null, primary key (token_id, node))',
]

/** Triggers that apply each change of a balance to the free quota, unless `commit_charges` made it. */
const followed = (table: string, column: string, kind: number): readonly string[] => [
  `create function ${table}_pool_follows() returns trigger language plpgsql as $$
  begin
    if current_setting('switchyard.commits', true) = 'on' then return null; end if;
    if tg_op = 'INSERT' then
      insert into pool (kind, id, free) values (${kind}, new.id, new.${column});
    elsif tg_op = 'UPDATE' then
      update pool set free = free + new.${column} - old.${column},
          wanted_at = case when free + new.${column} < old.${column} then clock_timestamp() else wanted_at end
        where kind = ${kind} and id = new.id;
    else
      delete from pool where kind = ${kind} and id = old.id;
    end if;
    return null;
  end $$`,
  `create trigger ${table}_pool after insert or delete or update of ${column} on ${table}
    for each row execute function ${table}_pool_follows()`,
]

/**
 * Leases quota to a node: for each account or token, the amount it needs at once or, if larger, the amount it wants up
 * to a share of the free quota; only the amount needed while nodes wait for quota of the account. If less than the need
 * is free, leases all of it, or nothing if that is below the lowest amount of use. Exact amounts are given back
 * (negative) or taken, even below 0. Fails unless it is the node's next lease. Returns the leased amounts, the free
 * rest, the leases of other nodes, and whether a token is unlimited.
 */
const LEASE = `create function lease_slices(node_of text, epoch_of bigint, grant_of bigint, kinds smallint[], ids bigint[],
    needs bigint[], lowest bigint[], wants bigint[], exact boolean[], shares bigint)
  returns table (slice_kind smallint, slice_id bigint, granted bigint, left_over bigint, others bigint, is_unlimited boolean)
  language plpgsql as $$
  begin
    update nodes set grants = grants + 1 where nodes.id = node_of and epoch = epoch_of and grants = grant_of;
    if not found then
      perform 1 from nodes where nodes.id = node_of and epoch = epoch_of;
      if found then raise exception 'this lease is late' using errcode = 'SW002'; end if;
      raise exception 'this node is fenced' using errcode = 'SW001';
    end if;
    -- The next statement reads the leases that others took while this one waited.
    perform 1 from pool p join unnest(kinds, ids) as a(kind, id) on a.kind = p.kind and a.id = p.id
      order by p.kind, p.id for update of p;
    return query
    with wanted as (
      select a.*, t.id is not null as is_free
      from unnest(kinds, ids, needs, lowest, wants, exact) as a(kind, id, need, low, want, is_exact)
      left join tokens t on a.kind = 1 and t.id = a.id and t.unlimited_quota = 1),
    given as (
      select a.kind, a.id, case
          when a.is_exact then a.want
          when a.is_free then 0
          when p.free >= a.need and p.wanted_at > clock_timestamp() - interval '2 s' then a.need
          when p.free >= a.need then greatest(a.need, least(a.want, p.free / shares))
          when p.free >= a.low then greatest(p.free, 0)
          else 0 end as amount, p.free, a.need, a.is_free
      from wanted a join pool p on p.kind = a.kind and p.id = a.id),
    taken as (
      update pool p set free = p.free - g.amount,
        wanted_at = case when (g.need > 0 and g.amount < g.need and not g.is_free) or p.free < g.amount then clock_timestamp() else p.wanted_at end
      from given g where p.kind = g.kind and p.id = g.id returning 1),
    stored as (
      insert into leases as l (kind, id, node, amount)
      select g.kind, g.id, node_of, g.amount from given g where g.amount <> 0
      on conflict (kind, id, node) do update set amount = l.amount + excluded.amount returning 1)
    select g.kind, g.id, g.amount, g.free - g.amount,
      (select coalesce(sum(greatest(l.amount, 0)), 0)::bigint from leases l
        where l.kind = g.kind and l.id = g.id and l.node <> node_of),
      g.is_free
    from given g;
  end $$`

/**
 * Writes a group of charges and log rows once. Returns how many entries this batch has in the database: those of an
 * earlier attempt if that was written. Locks leases, users, tokens, channels and hours in this order, each by its key;
 * never the pool. The arrays have an entry for each charge.
 */
const COMMIT = `create function commit_charges(node_of text, epoch_of bigint, batch_of bigint, entries_of bigint, sequence_of bigint,
    user_ids bigint[], token_ids bigint[], channel_ids bigint[], quotas bigint[], limited bigint[], times bigint[],
    refs text[], counted text[], log_rows json, hours json)
  returns bigint language plpgsql as $$
  declare
    written bigint;
  begin
    perform set_config('switchyard.commits', 'on', true);
    perform pg_advisory_xact_lock_shared(${COMMITS});
    update nodes set batch = batch + 1, entries = entries_of, sequence = greatest(sequence, sequence_of)
      where nodes.id = node_of and epoch = epoch_of and batch = batch_of;
    if not found then
      select entries into written from nodes where nodes.id = node_of and epoch = epoch_of and batch = batch_of + 1;
      if not found then raise exception 'this node is fenced' using errcode = 'SW001'; end if;
      return written;
    end if;
    insert into logs (${LOG_COLUMNS}) select ${LOG_COLUMNS} from json_populate_recordset(null::logs, log_rows);
    if cardinality(user_ids) > 0 then
      insert into leases as l (kind, id, node, amount)
        select kind, id, node_of, -sum(quota) from (
          select 0 as kind, u as id, q as quota from unnest(user_ids, quotas) as a(u, q)
          union all
          select 1, t, q from unnest(token_ids, limited) as b(t, q) where q > 0) as c
        where exists (select 1 from pool p where p.kind = c.kind and p.id = c.id)
        group by kind, id order by kind, id
        on conflict (kind, id, node) do update set amount = l.amount + excluded.amount;
      perform 1 from users where id = any(user_ids) order by id for update;
      insert into ledger (created_at, user_id, token_id, channel_id, kind, amount, ref_type, ref_id, balance_after, counted_as)
        select a.at, a.u, a.t, a.c, 'consume', -a.q, 'request', a.r,
          coalesce(users.quota, 0) - sum(a.q) over (partition by a.u order by a.n), a.k
        from unnest(user_ids, token_ids, channel_ids, quotas, times, refs, counted)
          with ordinality as a(u, t, c, q, at, r, k, n)
        left join users on users.id = a.u order by a.n;
      update users x set quota = x.quota - s.q, used_quota = least(x.used_quota + s.q, ${MAX_USED}),
          request_count = x.request_count + s.n
        from (select u, sum(q) as q, count(*) as n from unnest(user_ids, quotas) as a(u, q) group by u) as s
        where x.id = s.u;
      perform 1 from tokens where id = any(token_ids) order by id for update;
      update tokens x set remain_quota = greatest(x.remain_quota - s.taken, ${MIN_QUOTA}),
          used_quota = least(x.used_quota + s.q, ${MAX_USED}), accessed_time = s.at
        from (select t, sum(l) as taken, sum(q) as q, max(at) as at
          from unnest(token_ids, limited, quotas, times) as a(t, l, q, at) group by t) as s
        where x.id = s.t;
      perform 1 from channels where id = any(channel_ids) order by id for update;
      update channels x set used_quota = least(x.used_quota + s.q, ${MAX_USED})
        from (select c, sum(q) as q from unnest(channel_ids, quotas) as a(c, q) group by c) as s where x.id = s.c;
    end if;
${HOURS}
    return entries_of;
  end $$`

/**
 * Returns the leases of a node, and the number of its next one. Waits for a lease that is still running; those that
 * arrive later have no effect.
 */
const RECONCILE = `create function reconcile_leases(node_of text, epoch_of bigint)
  returns table (next_grant bigint, slice_kind smallint, slice_id bigint, leased bigint) language plpgsql as $$
  declare
    granted bigint;
  begin
    update nodes set grants = grants + 1 where nodes.id = node_of and epoch = epoch_of returning grants into granted;
    if not found then raise exception 'this node is fenced' using errcode = 'SW001'; end if;
    return query select granted, l.kind, l.id, l.amount from (select 1) as one
      left join leases l on l.node = node_of and l.amount <> 0;
  end $$`

/**
 * Stores what a node has reserved of a token with budgets. Returns what the others have, and the charges of the token
 * after a row of the ledger, in at least one row. Calls for one token run one after another.
 */
const PUBLISH_BUDGET = `create function publish_budget(node_of text, epoch_of bigint, token_of bigint, amount_of bigint, after_id bigint)
  returns table (others bigint, row_id bigint, request_id text, charged_at bigint, quota bigint) language plpgsql as $$
  declare
    elsewhere bigint;
  begin
    perform pg_advisory_xact_lock((${BUDGETS}) + token_of);
    perform 1 from nodes where nodes.id = node_of and epoch = epoch_of;
    if not found then raise exception 'this node is fenced' using errcode = 'SW001'; end if;
    if amount_of = 0 then
      delete from budget_holds b where b.token_id = token_of and b.node = node_of;
    else
      insert into budget_holds as b (token_id, node, amount) values (token_of, node_of, amount_of)
        on conflict (token_id, node) do update set amount = excluded.amount;
    end if;
    select coalesce(sum(b.amount), 0) into elsewhere from budget_holds b where b.token_id = token_of and b.node <> node_of;
    return query select elsewhere, l.id, l.ref_id, l.created_at::bigint, -l.amount from (select 1) as one
      left join ledger l on l.id > after_id and l.token_id = token_of and l.kind = 'consume';
  end $$`

/**
 * Revokes a node's leases, so that it can neither lease nor commit. Returns `fenced`; nothing is changed if it returns
 * `missing`, or `alive` because the node was seen within the interval.
 */
const FENCE = `create function fence_node(node_of text, silence interval) returns text language plpgsql as $$
  declare
    node nodes;
  begin
    select * into node from nodes where nodes.id = node_of for update;
    if not found then return 'missing'; end if;
    if node.fenced_at is not null then return 'fenced'; end if;
    if exists (select 1 from node_beats b where b.node = node_of and b.seen_at > clock_timestamp() - silence) then
      return 'alive';
    end if;
    update nodes set epoch = epoch + 1, fenced_at = clock_timestamp() where nodes.id = node_of;
    perform 1 from pool p join leases l on l.kind = p.kind and l.id = p.id where l.node = node_of
      order by p.kind, p.id for update of p;
    delete from budget_holds b where b.node = node_of;
    with freed as (delete from leases where leases.node = node_of returning kind, id, amount)
      update pool p set free = p.free + f.amount from freed f where p.kind = f.kind and p.id = f.id;
    return 'fenced';
  end $$`

/**
 * Waits for the nodes that write ledger rows: all rows up to the returned one are final, although nodes commit their
 * rows in an order other than that of their ids. Until the caller's transaction ends, no node writes any. Movements
 * wait too if the caller's transaction has the lock of transactions. A lock on the table would make all nodes wait for
 * a vacuum.
 */
const FINAL = `create function final_ledger_id() returns bigint language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(${COMMITS});
    return (select coalesce(max(id), 0) from ledger);
  end $$`
