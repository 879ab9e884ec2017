// Lets people drag blocks within a newsletter, and from the library into it.

const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches

/** Makes a list of blocks sortable. `composer.js` calls it. */
window.makeSortable = (list) => {
  const isLibrary = list.dataset.sortable === 'library'
  window.Sortable.create(list, {
    group: isLibrary
      ? { name: 'library', pull: 'clone', put: false }
      : // The type of a block determines its section, so a block is sorted within its section only.
        { name: list.id, pull: false, put: ['library'] },
    sort: !isLibrary,
    handle: '.drag-handle',
    animation: prefersReducedMotion ? 0 : 150,
    onEnd: ({ item, from, to, oldIndex, newIndex }) => {
      if (to.dataset.sortable === 'library' || (from === to && oldIndex === newIndex)) return
      const before = item.nextElementSibling?.id ?? ''
      if (isLibrary) submitForm(from.closest('form'), { add: item.dataset.block, before })
      else submitForm(to.closest('form'), { move: item.id, before })
    },
  })
}
