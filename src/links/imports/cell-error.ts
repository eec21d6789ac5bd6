/** The message continues the name of the column. */
export class CellError extends Error {
  override name = 'CellError'
}
