import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement } from '../../src/storage/embedded/clickhouse-statement.ts'
import { splitStatements } from '../../src/storage/sql-text.ts'

test('a script is split at the semicolons that end statements', () => {
  const cases: [string, string[]][] = [
    ['', []],
    [' ; -- nothing;\n /* ; */ ; ', []],
    ['a; b', ['a', 'b']],
    [`select 'a;b', "c;d", \`e;f\`; g;`, [`select 'a;b', "c;d", \`e;f\``, 'g']],
    [`select 'it''s;', 'it\\'s;'; b`, [`select 'it''s;', 'it\\'s;'`, 'b']],
    ['a -- x;\n b /* y; */ c; d', ['a -- x;\n b /* y; */ c', 'd']],
    ['select $$a;b$$, $t$c;$$d$t$; e', ['select $$a;b$$, $t$c;$$d$t$', 'e']],
    [`select 'never ends; b`, [`select 'never ends; b`]],
  ]
  for (const [sql, expected] of cases) assert.deepEqual(splitStatements(sql), expected, sql)
})

test('the kind of a statement, and where its FORMAT is', () => {
  const cases: [string, string][] = [
    ['select 1', 'select'],
    ['SELECT 1 FORMAT JSON', 'select JSON'],
    ['select 1 format JSON;', 'select JSON'],
    ['select 1 format JSON settings a = 1', 'select JSON'],
    ['select format from t', 'select'],
    [`select 'format JSON'`, 'select'],
    ['select 1 -- format CSV', 'select'],
    ['/* insert */ with 1 as x select x', 'select'],
    ['(select 1) union all (select 2) format CSV', 'select CSV'],
    ['show tables', 'read'],
    ['create table t (format String) engine = Memory', 'write'],
    ['insert into t format CSV', 'insert CSV'],
    ['insert into t (a, format) settings x = 1 format JSONEachRow', 'insert JSONEachRow'],
    ['insert into t values', 'insert Values'],
    ['insert into t values (1);(2)', 'write'],
    ['insert into t format JSONEachRow {"a":";"}', 'write'],
    ['insert into t select 1 format Null', 'write'],
  ]
  for (const [sql, expected] of cases) {
    const statement = readStatement(sql)
    const format = 'format' in statement && statement.format ? ` ${statement.format}` : ''
    assert.equal(statement.kind + format, expected, sql)
  }
})

test('names in placeholders are found, those in quotes are not', () => {
  const sql = `select {a:String}, {b : Array(UInt8)}, '{c:String}', map('d', 1) -- {e:String}`
  assert.deepEqual([...readStatement(sql).placeholders], ['a', 'b'])
})

test('what the front cannot pass on is refused', () => {
  const cases: [string, RegExp][] = [
    ['', /: Code: 62\./],
    [' -- nothing', /: Code: 62\./],
    ['select 1; select 2', /: Code: 62\..*Multi-statements/],
    [`select 1 into outfile '/etc/passwd'`, /: Code: 48\./],
    [`insert into t from infile '/etc/passwd' format CSV`, /: Code: 48\./],
  ]
  for (const [sql, expected] of cases) assert.throws(() => readStatement(sql), expected, sql)
})
