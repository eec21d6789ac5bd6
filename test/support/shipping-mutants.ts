import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  addClicks,
  createLedger,
  moveCursor,
  type Ledger,
} from '../../src/clicks/shipping/cursor.ts'
import type { ShipperDeps, ShipperParts } from '../../src/clicks/shipping/shipper.ts'
import { createClickTable } from '../../src/clicks/shipping/table.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'

/**
 * The protocol with one rule broken, composed of the same parts. Each mutant must fail a certain
 * crash test: if it passed, that test would prove nothing.
 */
export const mutants = {
  /** In doubt, it sends again under the same token and trusts the answer. */
  'token trusted without the count'(parts, { clickhouse }) {
    const table = createClickTable(clickhouse)
    const accepted = new Set<string>()
    return {
      ...parts,
      table: {
        async insert(chunks, token) {
          await table.insert(chunks, token)
          accepted.add(token)
        },
        async count({ segment }) {
          return { ids: accepted.has(segment) ? Infinity : 0, surplus: 0 }
        },
        clickIds: async () => new Set<string>(),
      },
    }
  },

  'another token for each attempt'(parts, { clickhouse }) {
    const table = createClickTable(clickhouse)
    return {
      ...parts,
      table: { ...table, insert: (chunks, token) => table.insert(chunks, token + randomUUID()) },
    }
  },

  'cursor in its own transaction'(parts, deps) {
    const { sql, clock } = deps
    const ledger: Ledger = {
      ...createLedger(deps),
      async commit(commit) {
        const now = new Date(clock())
        if (!(await inTransaction(sql, (tx) => moveCursor(tx, commit, now)))) return 'fenced'
        await parts.fault?.('cursor-moved', '')
        await inTransaction(sql, (tx) => addClicks(tx, commit.frozen.about.tallies))
        return 'committed'
      },
    }
    return { ...parts, ledger }
  },

  'counters before the cursor, apart from it'(parts, deps) {
    const { sql, clock } = deps
    const ledger: Ledger = {
      ...createLedger(deps),
      async commit(commit) {
        await inTransaction(sql, (tx) => addClicks(tx, commit.frozen.about.tallies))
        await parts.fault?.('cursor-moved', '')
        const now = new Date(clock())
        return (await inTransaction(sql, (tx) => moveCursor(tx, commit, now)))
          ? 'committed'
          : 'fenced'
      },
    }
    return { ...parts, ledger }
  },

  /** It sends the segments that it finds, whichever batch was chosen before. */
  'batch of the segments at hand'(parts, deps) {
    const ledger = createLedger(deps)
    return {
      ...parts,
      ledger: {
        ...ledger,
        async positionOf(journalId) {
          return { ...(await ledger.positionOf(journalId)), nextThrough: null }
        },
      },
    }
  },

  'unlink before commit'(parts, _deps, folder) {
    return {
      ...parts,
      async fault(point, segment) {
        if (point === 'stored')
          for (const name of readdirSync(folder))
            if (/\.(sealed|rows)$/.test(name) && segment.endsWith(`-${parseInt(name, 10)}`))
              rmSync(join(folder, name))
        await parts.fault?.(point, segment)
      },
    }
  },
} satisfies Record<string, (parts: ShipperParts, deps: ShipperDeps, folder: string) => ShipperParts>

export type Mutant = keyof typeof mutants
