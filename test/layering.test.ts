import { expect, test } from 'bun:test'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

test('every import is allowed by the layers of the source folders', async () => {
  const options = await extractDepcruiseOptions(`${import.meta.dir}/../.dependency-cruiser.cjs`)
  const { output } = await cruise(['src', 'integrations'], options)
  if (typeof output === 'string') throw new Error(output)
  expect(output.summary.violations).toEqual([])
  // Zero modules break no rule either.
  expect(output.summary.totalCruised).toBeGreaterThan(35)
})
