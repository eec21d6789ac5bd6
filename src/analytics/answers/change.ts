/** Two decimals; 100 when there were none before (contract, section 4). */
export function changePercent(now: number, before: number): number {
  if (before === 0) return now > 0 ? 100 : 0
  // Adding zero turns -0 into 0.
  return Number((((now - before) / before) * 100).toFixed(2)) + 0
}
