/** '99.99 %': more digits towards the ends, never 0 or 100 unless it is. */
export function percent(probability: number): string {
  return `${percentage(probability)} %`
}

function percentage(probability: number): string {
  const distance = Math.min(probability, 1 - probability)
  if (distance === 0) return probability === 0 ? '0' : '100'
  if (distance < 5e-6) return probability < 0.5 ? '< 0.001' : '> 99.999'
  const digits = distance < 0.0001 ? 3 : distance < 0.01 ? 2 : 1
  return (probability * 100).toFixed(digits)
}
