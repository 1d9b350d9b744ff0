/** Whether the page shows all measurements, shares and counts, or what a person needs. */
import { useId, useState } from 'preact/hooks'

const NAME = 'tamis-expert'

/** Kept from one visit to the next. */
export function useExpert(): [expert: boolean, setExpert: (expert: boolean) => void] {
  const [expert, show] = useState(() => localStorage.getItem(NAME) === 'yes')
  const setExpert = (next: boolean) => {
    if (next) localStorage.setItem(NAME, 'yes')
    else localStorage.removeItem(NAME)
    show(next)
  }
  return [expert, setExpert]
}

export function ExpertSwitch({
  expert,
  onExpert,
}: {
  readonly expert: boolean
  readonly onExpert: (expert: boolean) => void
}) {
  const id = useId()
  return (
    <span class="switch">
      <input
        id={id}
        type="checkbox"
        checked={expert}
        onChange={(event) => onExpert(event.currentTarget.checked)}
      />
      <label for={id}>Expert view</label>
    </span>
  )
}
