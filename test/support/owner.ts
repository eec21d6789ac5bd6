/** A test, or another owner of what is opened, which calls the functions at its end. */
export type Owner = { after(close: () => unknown): void }
