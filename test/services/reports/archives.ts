import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import assert from 'node:assert/strict'
import { parseDocument, DomUtils } from 'htmlparser2'

const DIRECTORY_END = 0x06054b50

/** The files of a ZIP archive by name, by its directory; `unzip` checks it too where it is installed. */
export function readZip(archive: Buffer): Map<string, Buffer> {
  checkWithUnzip(archive)
  const files = new Map<string, Buffer>()
  const end = archive.length - 22
  assert.equal(archive.readUInt32LE(end), DIRECTORY_END)
  let at = archive.readUInt32LE(end + 16)
  for (let entry = 0; entry < archive.readUInt16LE(end + 10); entry++) {
    const [crc, compressed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset))
    const nameBytes = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
    const start = archive.readUInt32LE(at + 42) + 30 + nameBytes
    const content = inflateRawSync(archive.subarray(start, start + compressed!))
    assert.equal(content.length, size)
    assert.equal(crc32(content), crc)
    files.set(name, content)
    at += 46 + nameBytes
  }
  return files
}

function checkWithUnzip(archive: Buffer): void {
  const folder = mkdtempSync(join(tmpdir(), 'report-'))
  try {
    const file = join(folder, 'report.xlsx')
    writeFileSync(file, archive)
    execFileSync('unzip', ['-tqq', file])
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Cells of the sheet of a workbook: texts, numbers, and null for empty ones. */
export function readSheet(archive: Buffer): (string | number | null)[][] {
  const xml = readZip(archive).get('xl/worksheets/sheet1.xml')!.toString('utf8')
  const document = parseDocument(xml, { xmlMode: true })
  return DomUtils.getElementsByTagName('row', document).map((row) =>
    DomUtils.getElementsByTagName('c', row.children).map((cell) => {
      const text = DomUtils.textContent(cell)
      if (cell.attribs['t'] === 'inlineStr') return unescape(text)
      return text === '' ? null : Number(text)
    }),
  )
}

function unescape(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
