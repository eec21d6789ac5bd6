import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { mergeMetrics } from '../../src/platform/processes/metrics.ts'

test('metrics of several processes have the same names as those of one, and are those of all', async () => {
  const own = new Registry()
  collectDefaultMetrics({ register: own })
  const single = await own.metrics()
  const others = [
    await openOther({ startedAt: 2e9, bytes: 1e12 }),
    await openOther({ bytes: 2e12 }),
  ]
  const merged = await mergeMetrics(own, async () => others).metrics()
  const names = (text: string) => Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name)
  assert.deepEqual(names(merged).toSorted(), names(single).toSorted())
  const started = /^process_start_time_seconds (\S+)$/m
  assert.equal(started.exec(merged)![1], started.exec(single)![1], 'the oldest of them')
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(merged)!
  assert.ok(Number(bytes) > 3e12, `${bytes}, the sum of three`)
})

/** The metrics of a process that began later and has a known size. */
async function openOther({ startedAt = 3e9, bytes }: { startedAt?: number; bytes: number }) {
  const registry = new Registry()
  const set = (name: string, value: number, aggregator: 'omit' | 'sum') =>
    new Gauge({ name, help: name, aggregator, registers: [registry] }).set(value)
  set('process_start_time_seconds', startedAt, 'omit')
  set('process_resident_memory_bytes', bytes, 'sum')
  return registry.getMetricsAsJSON()
}
