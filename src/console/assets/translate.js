// The texts of the scripts in the language of the person. The page contains those that it needs.

const texts = JSON.parse(document.getElementById('script-texts').textContent)

/** The text of a key, with `{name}` replaced by the value of this name. */
window.translate = (key, values = {}) =>
  texts[key].replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]))
